import { bodyText, type WireReply, type WireRequest } from '../../src/lib/base/system/wire.ts';
import type { History } from './history.ts';
import type { Machine } from './machine.ts';
import {
  inProgress,
  invalid,
  jsonReply,
  problem,
  type RequestTrouble,
  refusal,
  type Scenario,
  type Service,
  workOf,
} from './service.ts';

interface Created {
  readonly id: string;
  readonly at: number;
  readonly from: string;
  readonly text: string | undefined;
  readonly to: string;
  readonly subject: string;
  readonly templateId: string | undefined;
}

interface Sent {
  readonly to: string;
  readonly from: string;
  readonly text?: string;
  readonly subject: string;
  readonly templateId?: string;
}

/** Milliseconds for which the service remembers the result under an idempotency key, and locks the key before that. */
const remembered = 24 * 3_600_000;
const lock = 60_000;

/** What the service needs of a machine. */
type World = Pick<Machine, 'now' | 'later'>;

/** A request that the service has taken: its result is under its key once its work has ended. */
interface Taken {
  readonly at: number;
  readonly body: string;
  readonly said?: unknown;
}

/** The accepted emails, and their keys. */
class EmailService implements Service {
  readonly created: Created[] = [];
  readonly violations: string[] = [];
  /** Requests that may mail somebody. */
  sendings = 0;
  private readonly keys = new Map<string, Taken>();
  private readonly machine: World;
  private readonly rejected: ReadonlySet<string>;
  private readonly hasList: boolean;

  constructor(machine: World, rejected: ReadonlySet<string>, hasList: boolean) {
    this.machine = machine;
    this.rejected = rejected;
    this.hasList = hasList;
  }

  leaves({ method }: WireRequest): void {
    if (method === 'POST') this.sendings++;
  }

  answer(
    request: WireRequest,
    trouble: RequestTrouble | undefined,
    respond: (reply: WireReply) => void,
  ): void {
    const refused = refusal(trouble);
    const reply =
      refused !== undefined
        ? this.reply(...refused)
        : request.method === 'POST'
          ? this.take(request, trouble, respond)
          : this.page(request.url);
    if (reply !== undefined) respond(reply);
  }

  private page(url: URL): WireReply {
    if (url.pathname.includes('/templates/')) return noPage;
    if (url.pathname.endsWith('/emails')) {
      return this.hasList ? this.list(url.searchParams) : noPage;
    }
    const id = url.pathname.split('/').at(-1);
    if (!url.pathname.includes('/emails/')) return this.reply(200, []);
    const email = this.created.find((one) => one.id === id);
    if (email === undefined) return this.reply(404, problem('NOT_FOUND', 'no such email'));
    const { to, subject } = email;
    const shown = email.templateId === undefined ? subject : 'of the template';
    return this.reply(200, { id, to: [to], subject: shown, emailEvents: [] });
  }

  /** Takes a request that sends; undefined if the response comes later. */
  private take(
    { headers, body }: WireRequest,
    trouble: RequestTrouble | undefined,
    respond: (reply: WireReply) => void,
  ): WireReply | undefined {
    const text = bodyText(body ?? '');
    const key = headers['idempotency-key'];
    if (key === undefined) {
      this.violations.push('a request has no idempotency key');
      return this.reply(400, problem('BAD_REQUEST', 'no key'));
    }
    const known = this.keys.get(key);
    const isOver = known?.said !== undefined;
    if (known !== undefined && known.at > this.machine.now - (isOver ? remembered : lock)) {
      if (known.body === text)
        return isOver ? this.reply(200, known.said) : this.reply(...inProgress);
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
    if (issues.length > 0) return this.reply(...invalid(issues));
    const taken = { at: this.machine.now, body: text };
    this.keys.set(key, taken);
    const isShort = (trouble === 'short' || trouble === 'works, short') && emails.length > 1;
    const left = isShort ? emails.slice(1) : emails;
    const ids: { readonly emailId: string }[] = [];
    const end = () => {
      const said = Array.isArray(asked) ? { data: ids } : ids[0];
      this.keys.set(key, { ...taken, said });
      return this.reply(200, said);
    };
    const work = workOf(trouble);
    if (work === undefined) {
      for (const email of left) ids.push(this.create(email));
      return end();
    }
    const later = (seconds: number, happen: () => void) =>
      void this.machine.later(undefined, happen, seconds * 1000);
    const apart = (work.last - work.first) / Math.max(1, left.length - 1);
    for (const [place, email] of left.entries()) {
      later(work.first + place * apart, () => ids.push(this.create(email)));
    }
    later(work.end, () => respond(end()));
    if (work.proxy !== undefined)
      later(work.proxy, () =>
        respond({ status: 504, headers: { 'content-type': 'text/html' }, body: 'no' }),
      );
    return undefined;
  }

  private create({ to, from, subject, text, templateId }: Sent): { readonly emailId: string } {
    const id = `email_${this.created.length + 1}`;
    if (this.created.some((one) => one.to === to)) this.violations.push(`${to} is mailed twice`);
    this.created.push({ id, at: this.machine.now, to, from, subject, text, templateId });
    return { emailId: id };
  }

  /** A page of the emails, newest first. */
  private list(query: URLSearchParams): WireReply {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    const until = Date.parse(query.get('endDate') ?? '') || Number.POSITIVE_INFINITY;
    const all = this.created.filter(({ at }) => at <= until).toReversed();
    const data = all.slice((page - 1) * limit, page * limit).map((one) => {
      const { id, at, to, from, subject, text = null } = one;
      const shown = one.templateId === undefined ? subject : 'of the template';
      return {
        id,
        to: [to],
        from,
        subject: shown,
        text,
        html: null,
        createdAt: new Date(at).toISOString(),
      };
    });
    return this.reply(200, { data, count: all.length });
  }

  meanwhile(): void {}
  state = () => String(this.created.length);
  reply = (status: number, body: unknown) => jsonReply(this.machine.now, status, body);
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly templateId?: string;
  readonly inReplyToId?: string;
}

function emailOf(kind: string, index: number): Row {
  return {
    ...{
      from: 'a@b.example',
      to: `p${index + 1}@example.org`,
      subject: `S${index + 1}`,
      text: 'T',
    },
    ...(kind.startsWith('template') ? { templateId: kind.replace(' ', '-') } : {}),
    ...(kind === 'alone' ? { inReplyToId: 'email_before' } : {}),
  };
}

/** A line of the results. */
interface ResultLine {
  readonly row: number;
  readonly to: string;
  readonly emailId?: string;
  readonly error?: { readonly code: string };
}

/** The response to a path that the service does not have, such as that of templates. */
const noPage = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 Not Found' };

/** Troubles after which it may be unknown whether emails were sent. */
const doubtful: readonly string[] = [
  'short',
  'works, short',
  'fails',
  'fails after',
  'quota',
  'a day',
  'kill, a day',
  'power, a day',
];

/** `email batch`, and what must hold for it. */
export function batch(history: History, machine: World): Scenario {
  const rows = history.rows.map(emailOf);
  const bad = rows.filter((_, index) => history.rows[index] === 'rejected').map(({ to }) => to);
  const service = new EmailService(machine, new Set(bad), history.list !== 'none');
  return {
    line: [
      ...['email', 'batch', 'rows.json', '--yes', '--quiet', '--results', 'results.jsonl'],
      ...['--keep-going', '--retries', String(history.retries)],
      ...['--concurrency', String(history.concurrency)],
    ],
    input: JSON.stringify(rows),
    service,
    // A run that was interrupted may also end with 11.
    isComplete: ({ exitCode, stderr }) =>
      exitCode === 0 || (exitCode === 11 && !stderr.includes('To resume')),
    // The program writes one line per row.
    check: (results) => checkResults(service, history, rows, results as ResultLine[]),
  };
}

function checkResults(
  service: EmailService,
  history: History,
  rows: readonly Row[],
  results: readonly ResultLine[],
): string[] {
  const found: string[] = [];
  const order = results.map(({ row }) => row).join();
  if (order !== rows.map((_, index) => index + 1).join()) found.push(`results of rows ${order}`);
  const all = [...history.troubles, ...history.requests].map(([, trouble]) => trouble as string);
  const mayBeInDoubt = all.some((trouble) => doubtful.includes(trouble));
  for (const { row, to, emailId, error } of results) {
    const email = rows[row - 1];
    const created = service.created.filter((one) => one.to === email?.to);
    if (to !== email?.to) found.push(`row ${row} is about ${to}`);
    if (emailId !== undefined) {
      if (created.length !== 1 || created[0]?.id !== emailId)
        found.push(`row ${row} is not ${emailId}`);
      if (created[0]?.subject !== email?.subject) found.push(`row ${row} has another subject`);
    } else if (error?.code === 'rejected') {
      if (created.length > 0) found.push(`row ${row} was accepted and is said to be rejected`);
      if (history.rows[row - 1] !== 'rejected' && !mayBeInDoubt)
        found.push(`row ${row} is rejected`);
    } else if (error?.code !== 'unknown' || !mayBeInDoubt) {
      found.push(`row ${row} is ${error?.code ?? 'nothing'}`);
    }
  }
  return found;
}
