import type { ServerResponse } from 'node:http';
import { isEmailList } from './batch-service.ts';
import { type Connected, connected } from './connected.ts';
import type { Recorded } from './recorder.ts';

/** An email as the service lists it. */
interface Listed {
  readonly id: string;
  readonly to: readonly string[];
  readonly createdAt: string;
}

/** What the service does with a send: carries it out or not, and responds or not. */
type Send = 'accept' | 'lose' | 'ignore' | 'reject' | ((response: ServerResponse) => void);

export interface Losing extends Connected {
  /** The emails that the service created, oldest first. */
  readonly created: Listed[];
  /** What it does with the next sends; `accept` after these. */
  readonly sends: Send[];
  /** The status with which it responds to look-ups; 200 if absent. */
  listStatus: number | undefined;
  /** Milliseconds by which its clock is ahead of the world's. */
  ahead: number;
  posts(): readonly Recorded[];
  lists(): readonly Recorded[];
  /** Creates an email without a request. */
  create(email: object): void;
}

/**
 * A service that loses responses. Like live servers after the lock of a key, it carries
 * out a repetition of a request whose result is not stored.
 */
export async function losingService(...sends: Send[]): Promise<Losing> {
  const created: Listed[] = [];
  let ids = 0;
  const answer = (response: ServerResponse, status: number, body: unknown) => {
    const date = new Date(at.world.clock.now + at.ahead).toUTCString();
    response.writeHead(status, { 'content-type': 'application/json', date });
    response.end(JSON.stringify(body));
  };
  const handle = (response: ServerResponse, request: Recorded) => {
    if (isEmailList(request)) {
      if (at.listStatus !== undefined) {
        return answer(response, at.listStatus, { error: { code: 'X', message: 'no list' } });
      }
      return answer(response, 200, { data: created.toReversed(), count: created.length });
    }
    if (request.method !== 'POST') return answer(response, 200, []);
    const send = sends.shift() ?? 'accept';
    if (send === 'reject') {
      return answer(response, 400, { error: { code: 'BAD_REQUEST', message: 'no' } });
    }
    const before = created.length;
    const body = JSON.parse(request.body);
    if (send !== 'ignore') for (const email of [body].flat()) at.create(email);
    if (typeof send === 'function') return send(response);
    if (send !== 'accept') return void response.destroy();
    const added = created.slice(before).map(({ id }) => ({ emailId: id }));
    answer(response, 200, Array.isArray(body) ? { data: added } : added[0]);
  };
  const at: Losing = {
    ...(await connected(...Array(60).fill(handle))),
    created,
    sends,
    listStatus: undefined,
    ahead: 0,
    posts: () => at.service.requests.filter(({ method }) => method === 'POST'),
    lists: () => at.service.requests.filter(isEmailList),
    create: (email) => {
      const { to, ...others } = Object(email);
      const createdAt = new Date(at.world.clock.now + at.ahead).toISOString();
      created.push({ ...others, id: `em_${++ids}`, to: [to].flat(), createdAt });
    },
  };
  return at;
}
