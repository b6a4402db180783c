import { listItem } from './emails.ts';
import { type Answer, type Recorded, type Recorder, startRecorder } from './recorder.ts';

/** A service that counts whom it mails, and knows idempotency keys as live servers do. */
export interface MailCounter {
  readonly service: Recorder;
  readonly env: Readonly<Record<string, string>>;
  /** How often each address was mailed; a campaign mails its whole book. */
  readonly mailed: Map<string, number>;
  /** The requests that mail, in order. */
  posts(): readonly Recorded[];
  /** The campaign that it has at first; tests change it. */
  readonly campaign: Record<string, unknown>;
  readonly contacts: { email: string; subscribed: boolean }[];
  /** Called before and after a request that mails is carried out; true cuts the connection there. */
  interrupt: ((moment: Moment) => boolean | undefined) | undefined;
  /** Whether it refuses every request that mails, as for a key without rights. */
  refuses: boolean;
}

export type Moment = 'before it is carried out' | 'before its response' | 'after its response';

type Email = { readonly to: string | readonly string[]; readonly subject?: string };

export async function startMailCounter(): Promise<MailCounter> {
  const responses = new Map<string, unknown>();
  const created: object[] = [];
  const mailed = new Map<string, number>();
  const contacts = ['ana', 'ben', 'cleo'].map((name) => ({
    ...{ id: `ct_${name}`, email: `${name}@example.org`, subscribed: true },
  }));
  const campaign: Record<string, unknown> = {
    ...{ id: 'cm_march', name: 'March', from: 'news@example.com', subject: 'News of March' },
    ...{
      contactBookId: 'book_1',
      html: '<p>News {{usesend_unsubscribe_url}}</p>',
      status: 'DRAFT',
    },
    ...{ cc: [], bcc: [], replyTo: [], createdAt: '2026-01-01T10:00:00.000Z' },
  };
  const campaigns = [campaign];
  const mail = (addresses: readonly string[]) => {
    for (const one of addresses) mailed.set(one, (mailed.get(one) ?? 0) + 1);
  };
  const start = (one: Record<string, unknown>) => {
    mail(contacts.filter(({ subscribed }) => subscribed).map(({ email }) => email));
    one.status = 'RUNNING';
    one.updatedAt = new Date(counter.service.now()).toISOString();
  };
  const send = (email: Email) => {
    mail([email.to].flat());
    const id = `em_${created.length + 1}`;
    const createdAt = new Date(counter.service.now()).toISOString();
    created.push({ ...email, to: [email.to].flat(), id, createdAt });
    return { emailId: id };
  };
  const carryOut = ({ path, body }: Recorded): unknown => {
    const given: unknown = body === '' ? {} : JSON.parse(body);
    if (path.endsWith('/v1/emails')) return send(given as Email);
    if (path.endsWith('/v1/emails/batch')) return { data: (given as Email[]).map(send) };
    if (path.endsWith('/v1/campaigns')) {
      const { sendNow, scheduledAt } = Object(given);
      const createdAt = new Date(counter.service.now()).toISOString();
      const id = `cm_new${campaigns.length}`;
      const fresh = { ...campaign, ...Object(given), id, createdAt, status: 'DRAFT' };
      campaigns.unshift(fresh);
      if (sendNow === true || scheduledAt !== undefined) start(fresh);
      return fresh;
    }
    start(campaigns.find(({ id }) => path.includes(`/${id}/`)) ?? campaign);
    return { success: true };
  };
  const look = ({ path }: Recorded): unknown => {
    if (/\/v1\/emails(\?|$)/.test(path)) return { data: created, count: created.length };
    if (/\/v1\/emails\/em_1$/.test(path)) {
      return { ...listItem('em_1', { cc: [], bcc: [] }), emailEvents: [] };
    }
    if (/\/v1\/campaigns(\?|$)/.test(path)) return { campaigns, totalPage: 1 };
    if (/\/v1\/campaigns\/[^/]+$/.test(path)) {
      return campaigns.find(({ id }) => path.endsWith(`/${id}`));
    }
    if (/\/contacts(\?|$)/.test(path)) return contacts;
    if (/\/v1\/contactBooks$/.test(path)) return [{ id: 'book_1', name: 'Customers' }];
    if (/\/v1\/contactBooks\/[^/]+$/.test(path)) {
      return { id: 'book_1', name: 'Customers', _count: { contacts: contacts.length } };
    }
    return undefined;
  };
  const answer: Answer = (response, request) => {
    if (request.method === 'GET') {
      const found = look(request);
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(found === undefined ? '404 Not Found' : JSON.stringify(found));
      return;
    }
    const cut = (moment: Moment) => counter.interrupt?.(moment) === true && response.destroy();
    if (cut('before it is carried out')) return;
    if (counter.refuses) {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end('{"error":{"code":"FORBIDDEN","message":"Not allowed"}}');
      return;
    }
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? responses.get(key) : undefined;
    const value = known ?? carryOut(request);
    if (typeof key === 'string') responses.set(key, value);
    if (cut('before its response')) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value), () => cut('after its response'));
  };
  const service = await startRecorder(...Array(2000).fill(answer));
  service.answersCampaigns = true;
  const counter: MailCounter = {
    ...{ service, mailed, campaign, contacts, interrupt: undefined, refuses: false },
    env: { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: service.baseUrl },
    posts: () => service.requests.filter(({ method }) => method === 'POST'),
  };
  return counter;
}
