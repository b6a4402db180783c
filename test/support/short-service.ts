import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Recorded } from './recorder.ts';

/** An email in a request. */
export interface SentEmail {
  readonly to: string | readonly string[];
  readonly subject?: string;
  readonly templateId?: string;
  readonly text?: string;
}

export interface ShortServiceOptions {
  /** Whether the service does not create an email of a batch, after not creating it `times` times before. */
  readonly leavesOut: (email: SentEmail, times: number) => boolean;
  /** Suppressed addresses. */
  readonly suppressed?: readonly string[];
  /** Whether a batch without a creatable email gets 500 instead of an empty list of ids. */
  readonly failsAtNothing?: boolean;
  /** The status of a failing list of emails. */
  readonly listFails?: number;
}

/**
 * A service that accepts batches without creating all emails in them, as live servers do: 200, ids in the
 * order of the created emails, and the same response to a repetition with the same key. Emails are shown
 * without suppressed recipients.
 */
export function createShortService({
  leavesOut,
  suppressed = [],
  failsAtNothing = false,
  listFails,
}: ShortServiceOptions) {
  const emails = new Map<string, SentEmail>();
  const answers = new Map<string, unknown>();
  const missed = new Map<string, number>();
  const take = (email: SentEmail) => {
    const emailId = `email_${String(emails.size + 1).padStart(6, '0')}`;
    emails.set(emailId, email);
    return { emailId };
  };
  const isTaken = (email: SentEmail) => {
    const identity = JSON.stringify(email);
    const times = missed.get(identity) ?? 0;
    if (!leavesOut(email, times)) return true;
    missed.set(identity, times + 1);
    return false;
  };
  const carryOut = (body: string): unknown => {
    // Sent by the program under test.
    const asked = JSON.parse(body) as SentEmail | SentEmail[];
    if (!Array.isArray(asked)) return take(asked);
    return { data: asked.filter(isTaken).map(take) };
  };
  const shown = (id: string, email: SentEmail) => {
    return { id, to: recipients(email), subject: email.subject ?? null };
  };
  /** A page of the list, newest first. */
  const listed = (query: URLSearchParams) => {
    const limit = Number(query.get('limit') ?? 50);
    const from = (Number(query.get('page') ?? 1) - 1) * limit;
    const all = [...emails].map(([id, email]) => shown(id, email)).toReversed();
    return { data: all.slice(from, from + limit), count: all.length };
  };
  const recipients = ({ to }: SentEmail) => [to].flat().filter((one) => !suppressed.includes(one));
  return {
    /** The recipients of the created emails, in order. */
    taken: (): string[] => [...emails.values()].map(({ to }) => [to].flat().join()),
    /** The id of the only email to an address. */
    idOf(to: string): string | undefined {
      const [found, ...others] = [...emails].filter(([, email]) => email.to === to);
      if (others.length > 0) throw new Error(`${to} has ${others.length + 1} emails`);
      return found?.[0];
    },
    /** The response, for `startRecorder`. */
    answer(
      response: ServerResponse,
      { method, path, headers, body }: Pick<Recorded, 'method' | 'path' | 'headers' | 'body'>,
    ): void {
      if (method === 'GET') {
        const { pathname, searchParams } = new URL(path, 'http://service.test');
        if (pathname.endsWith('/v1/emails')) {
          if (listFails === undefined) json(response, 200, listed(searchParams));
          else json(response, listFails, { error: { code: 'X', message: 'no list' } });
          return;
        }
        const id = decodeURIComponent(pathname.split('/').at(-1) ?? '');
        const email = emails.get(id);
        if (email === undefined) {
          json(response, 404, { error: { code: 'NOT_FOUND', message: 'Email not found' } });
          return;
        }
        json(response, 200, { ...shown(id, email), emailEvents: [] });
        return;
      }
      const key = String(headers['idempotency-key']);
      const known = answers.get(key) ?? carryOut(body);
      if (failsAtNothing && isDeepStrictEqual(known, { data: [] })) {
        json(response, 500, failure);
        return;
      }
      answers.set(key, known);
      json(response, 200, known);
    },
  };
}

const failure = {
  error: { code: 'INTERNAL_SERVER_ERROR', message: 'Failed to create any email records' },
};

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
