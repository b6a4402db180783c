import type { WireReply, WireRequest } from '../../src/lib/system/wire.ts';
import { bodyText } from '../../src/lib/system/wire.ts';

/** What goes wrong with one request on its way, at the service, or on the way back. */
export type RequestTrouble =
  /** No connection. */
  | 'unreachable'
  /** The connection breaks before the request has arrived, after, or before and it arrives later. */
  | 'cut'
  | 'lost'
  | 'late'
  /** It arrives a second time later. */
  | 'twice'
  /** Nobody says anything, and it arrives. */
  | 'silence'
  /** The service fails before or after it has accepted the request. */
  | 'fails'
  | 'fails after'
  | 'garbage after'
  /** A proxy says so, before the request reaches the service. */
  | 'bad gateway'
  | 'busy'
  | 'limit'
  | 'conflict'
  | 'quota'
  /** It creates only some of the emails. */
  | 'short';

interface Created {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly templateId: string | undefined;
}

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly templateId?: string;
}

/** Milliseconds for which the service knows an idempotency key. */
const remembered = 24 * 3_600_000;

/** The service: what it has accepted, and under which keys. */
export class Service {
  readonly created: Created[] = [];
  readonly violations: string[] = [];
  /** Requests that may mail somebody. */
  sendings = 0;
  private readonly keys = new Map<string, { at: number; body: string; reply: WireReply }>();
  private readonly now: () => number;
  private readonly rejected: ReadonlySet<string>;

  constructor(now: () => number, rejected: ReadonlySet<string>) {
    this.now = now;
    this.rejected = rejected;
  }

  /** What it says to a request that has arrived. */
  answer(
    { method, url, headers, body }: WireRequest,
    trouble: RequestTrouble | undefined,
  ): WireReply {
    if (trouble === 'fails') return this.reply(500, problem('INTERNAL_SERVER_ERROR', 'oops'));
    if (trouble === 'busy') return this.reply(503, problem('UNAVAILABLE', 'down'));
    if (trouble === 'limit') return this.reply(429, problem('RATE_LIMITED', 'slow'));
    if (trouble === 'conflict') return this.reply(409, problem('NOT_UNIQUE', 'in progress'));
    if (trouble === 'quota') return this.reply(400, problem('BAD_REQUEST', 'quota'));
    if (method !== 'POST') {
      const id = url.pathname.split('/').at(-1);
      if (!url.pathname.includes('/emails/')) return this.reply(200, []);
      const email = this.created.find((one) => one.id === id);
      if (email === undefined) return this.reply(404, problem('NOT_FOUND', 'no such email'));
      const { to, subject } = email;
      const shown = email.templateId === undefined ? subject : 'of the template';
      return this.reply(200, { id, to: [to], subject: shown, emailEvents: [] });
    }
    const text = bodyText(body ?? '');
    const key = headers['idempotency-key'];
    if (key === undefined) {
      this.violations.push('a request has no idempotency key');
      return this.reply(400, problem('BAD_REQUEST', 'no key'));
    }
    const known = this.keys.get(key);
    if (known !== undefined && known.at > this.now() - remembered) {
      if (known.body === text) return { ...known.reply, headers: this.headers() };
      this.violations.push(`another body under the key ${key}`);
      return this.reply(409, problem('NOT_UNIQUE', 'another body'));
    }
    const asked = JSON.parse(text) as Sent | readonly Sent[];
    const emails = [asked].flat();
    const issues = emails.flatMap(({ to }, at) =>
      this.rejected.has(to)
        ? [{ code: 'custom', path: Array.isArray(asked) ? [at, 'to'] : ['to'], message: 'bad' }]
        : [],
    );
    if (issues.length > 0) {
      return this.reply(400, { success: false, error: { issues, name: 'ZodError' } });
    }
    const left = trouble === 'short' && emails.length > 1 ? emails.slice(1) : emails;
    const ids = left.map(({ to, subject, templateId }) => {
      const id = `email_${this.created.length + 1}`;
      if (this.created.some((one) => one.to === to)) this.violations.push(`${to} is mailed twice`);
      this.created.push({ id, to, subject, templateId });
      return { emailId: id };
    });
    const reply = this.reply(200, Array.isArray(asked) ? { data: ids } : ids[0]);
    this.keys.set(key, { at: this.now(), body: text, reply });
    return reply;
  }

  private headers() {
    return { 'content-type': 'application/json', date: new Date(this.now()).toUTCString() };
  }

  reply(status: number, body: unknown): WireReply {
    return { status, headers: this.headers(), body: JSON.stringify(body) };
  }
}

function problem(code: string, message: string) {
  return { error: { code, message } };
}
