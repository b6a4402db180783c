import { type Connected, connected } from './connected.ts';
import type { Answer } from './recorder.ts';

/** An email of a service, as a test changes it. */
export interface StoredEmail {
  readonly id: string;
  readonly to: string[];
  readonly from: string;
  readonly subject: string;
  readonly createdAt: string;
  latestStatus?: string | null | undefined;
  /** Whether it is still listed, and shown no more. */
  readonly isGone?: boolean;
  /** Whether the service fails to show it. */
  isBroken?: boolean;
  /** Whether a request for it gets no response. */
  hangs?: boolean;
  emailEvents: { status: string; createdAt: string; data?: unknown }[];
  readonly [field: string]: unknown;
}

/** An email as live servers store it. */
export function stored(id: string, more: Partial<StoredEmail> = {}): StoredEmail {
  const createdAt = more.createdAt ?? '2026-01-15T08:00:00.000Z';
  return {
    ...{ id, to: ['ana@example.org'], replyTo: [], cc: [], bcc: [], from: 'hello@example.com' },
    ...{ subject: `Subject ${id}`, html: null, text: 'Hello', createdAt, updatedAt: createdAt },
    ...{ scheduledAt: null, domainId: 3, latestStatus: 'DELIVERED' },
    emailEvents: [],
    ...more,
  };
}

/** A bounce as the provider reports it. */
export function bounce(kind: 'Permanent' | 'Transient', diagnosticCode: string, to: string) {
  const data = {
    bounceType: kind,
    bounceSubType: kind === 'Permanent' ? 'General' : 'MailboxFull',
    bouncedRecipients: [{ emailAddress: to, diagnosticCode }],
  };
  return { status: 'BOUNCED', createdAt: '2026-01-15T08:00:05.000Z', data };
}

/** In place of an address: the service fails once. */
export const everythingOnce = 'everything once';

/**
 * An account whose list and emails are those in `emails`, newest first, which a test may change: as on live servers
 * the list has no events, and ignores the start of a period that has an end. `beforeList` is called before each
 * request for its first page. What is sent is queued, unless `refuses` names its recipient or `everythingOnce`. With
 * `countsPage`, the service counts only the emails of a page.
 */
export async function mailboxService(
  emails: StoredEmail[],
  beforeList: () => void = () => {},
  refuses: Set<string> = new Set(),
  { countsPage = false } = {},
): Promise<Connected> {
  const accept = (sent: { to: string }[]) =>
    sent.map(({ to }) => {
      const createdAt = new Date(setup.world.clock.now).toISOString();
      const email = stored(`em_${emails.length + 1}`, { to: [to].flat(), createdAt });
      emails.unshift({ ...email, latestStatus: 'QUEUED' });
      return { emailId: email.id };
    });
  const answer: Answer = (response, { method, path, body }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://localhost');
    const found = emails.find(({ id }) => pathname.endsWith(`/v1/emails/${id}`));
    const date = new Date(setup.world.clock.now).toUTCString();
    const json = (status: number, body: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', date })
        .end(JSON.stringify(body));
    if (method === 'POST') {
      if (refuses.delete(everythingOnce)) return void json(503, {});
      const sent: { to: string }[] = JSON.parse(body);
      const issues = sent.flatMap(({ to }, index) =>
        refuses.has(to) ? [{ code: 'custom', path: [index, 'to'], message: `no ${to}` }] : [],
      );
      if (issues.length === 0) return void json(200, { data: accept(sent) });
      return void json(400, { success: false, error: { issues, name: 'ZodError' } });
    }
    if (pathname.endsWith('/v1/emails')) {
      if (query.get('page') === '1') beforeList();
      const page = listed(emails, query);
      return void json(200, countsPage ? { ...page, count: page.data.length } : page);
    }
    if (found === undefined || found.isGone) {
      return void json(404, { error: { code: 'NOT_FOUND', message: 'Email not found' } });
    }
    if (found.hangs) return;
    if (found.isBroken) return void json(503, {});
    const { cc, bcc, replyTo, latestStatus, scheduledAt, domainId, ...shown } = found;
    json(200, shown);
  };
  // It also responds to the request for the account's state: every response shows the time of this service.
  const always = Object.assign(answer, { standing: true });
  const setup = await connected(...Array.from({ length: 1000 }, () => always));
  return setup;
}

function listed(emails: readonly StoredEmail[], query: URLSearchParams) {
  const [start, end] = [query.get('startDate'), query.get('endDate')];
  const limit = Number(query.get('limit') ?? 50);
  const first = (Number(query.get('page') ?? 1) - 1) * limit;
  const matching = emails.filter(({ createdAt }) => {
    const at = Date.parse(createdAt);
    if (end !== null) return at <= Date.parse(end);
    return start === null || at >= Date.parse(start);
  });
  const data = matching.slice(first, first + limit).map(({ emailEvents, ...email }) => email);
  return { data, count: matching.length };
}
