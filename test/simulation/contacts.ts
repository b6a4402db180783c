import { bodyText, type WireReply, type WireRequest } from '../../src/lib/base/system/wire.ts';
import type { ContactKind, History } from './history.ts';
import type { Machine } from './machine.ts';
import {
  invalid,
  jsonReply,
  problem,
  type RequestTrouble,
  refusal,
  type Scenario,
  type Service,
} from './service.ts';

/** A contact as the service stores it. */
interface Stored {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly subscribed: boolean;
  readonly unsubscribeReason: string | null;
}

/** A contact in a request. */
interface Said {
  readonly email: string;
  readonly firstName?: string;
  readonly subscribed?: boolean;
}

const bookId = 'cmbook00000000000000000001';
const left = 'UNSUBSCRIBED';

/** What a book needs of a machine. */
type World = Pick<Machine, 'now' | 'random' | 'later'>;

/** A contact book with its queue. */
class BookService implements Service {
  readonly violations: string[] = [];
  /** The number of emails that ask for confirmation, and of changes to contacts. */
  sendings = 0;
  readonly contacts = new Map<string, Stored>();
  /** How often each address was asked to confirm. */
  readonly asked = new Map<string, number>();
  private readonly machine: World;
  private readonly asks: boolean;
  private readonly rejected: ReadonlySet<string>;
  /** Addresses that nobody has sent, and that may subscribe themselves. */
  private readonly strangers: Set<string>;

  constructor(
    machine: World,
    asks: boolean,
    rejected: ReadonlySet<string>,
    strangers: readonly string[],
  ) {
    this.machine = machine;
    this.asks = asks;
    this.rejected = rejected;
    this.strangers = new Set(strangers);
  }

  leaves(): void {}
  /** Some people subscribe, and are asked to confirm. */
  meanwhile(): void {
    if (!this.asks) return;
    for (const email of this.strangers) {
      if (this.machine.random() < 0.5) this.store({ email, firstName: 'Own' });
    }
  }

  state = () => JSON.stringify([...this.contacts.values()]);
  reply = (status: number, body: unknown) => jsonReply(this.machine.now, status, body);

  answer(
    request: WireRequest,
    trouble: RequestTrouble | undefined,
    respond: (reply: WireReply) => void,
  ): void {
    respond(this.responseTo(request, trouble));
  }

  private responseTo(
    { method, url, body }: WireRequest,
    trouble: RequestTrouble | undefined,
  ): WireReply {
    const refused = refusal(trouble);
    if (refused !== undefined) return this.reply(...refused);
    const path = url.pathname.split('/');
    if (method === 'POST') return this.queue(JSON.parse(bodyText(body ?? '')) as Said[], trouble);
    if (method === 'PATCH') {
      const contact = [...this.contacts.values()].find(({ id }) => id === path.at(-1));
      if (contact === undefined) return this.reply(404, problem('NOT_FOUND', 'no such contact'));
      this.change(contact, JSON.parse(bodyText(body ?? '')) as Omit<Said, 'email'>);
      return this.reply(200, { contactId: contact.id });
    }
    const all = [...this.contacts.values()];
    if (path.at(-1) !== 'contacts') {
      const _count = { contacts: all.length };
      const book = { id: bookId, name: 'B', variables: [], doubleOptInEnabled: this.asks, _count };
      return this.reply(200, url.pathname.includes(bookId) ? book : [book]);
    }
    const emails = url.searchParams.get('emails')?.split(',');
    return this.reply(
      200,
      all.filter(({ email }) => emails?.includes(email) ?? true),
    );
  }

  /** Stores contacts later, one by one and in any order; if `short`, all but the first. */
  private queue(said: readonly Said[], trouble: RequestTrouble | undefined): WireReply {
    const issues = said.flatMap(({ email }, at) =>
      this.rejected.has(email) ? [{ code: 'custom', path: [at, 'email'], message: 'bad' }] : [],
    );
    if (issues.length > 0) return this.reply(...invalid(issues));
    for (const { email } of said) this.strangers.delete(email);
    for (const one of trouble === 'short' ? said.slice(1) : said) {
      const delay = 20 + Math.floor(this.machine.random() * 3000);
      this.machine.later(undefined, () => this.store(one), delay);
    }
    return this.reply(200, { message: 'queued', count: said.length });
  }

  private store({ email, firstName = '', subscribed }: Said): void {
    this.strangers.delete(email);
    const known = this.contacts.get(email);
    const mustConfirm = this.asks && subscribed !== false;
    const isPending = known?.subscribed === false && known.unsubscribeReason === null;
    if (mustConfirm && (known === undefined || isPending)) {
      this.sendings++;
      this.asked.set(email, (this.asked.get(email) ?? 0) + 1);
      if (known !== undefined) this.violations.push(`${email} is asked to confirm once more`);
    }
    if (known !== undefined) {
      this.change(known, { firstName, ...(subscribed === false ? { subscribed } : {}) });
      return;
    }
    this.contacts.set(email, {
      ...{ id: `contact${this.contacts.size + 1}`, email, firstName },
      subscribed: subscribed !== false && !mustConfirm,
      unsubscribeReason: subscribed === false ? left : null,
    });
  }

  private change(contact: Stored, { firstName, subscribed }: Omit<Said, 'email'>): void {
    if (subscribed === true && !contact.subscribed) {
      this.violations.push(`${contact.email} is subscribed, and has not agreed`);
    }
    const changed: Stored = {
      ...contact,
      ...(firstName === undefined ? {} : { firstName }),
      ...(subscribed === undefined
        ? {}
        : { subscribed, unsubscribeReason: subscribed ? null : left }),
    };
    if (JSON.stringify(changed) !== JSON.stringify(contact)) this.sendings++;
    this.contacts.set(contact.email, changed);
  }
}

const addressOf = (index: number) => `p${index + 1}@example.org`;

/** The contact of a row in the book before the import. */
function before(kind: string, email: string, id: string): Stored | undefined {
  const contact = { id, email, firstName: 'Old', subscribed: true, unsubscribeReason: null };
  if (kind === 'new' || kind === 'rejected') return undefined;
  if (kind === 'unsubscribed') return { ...contact, subscribed: false, unsubscribeReason: left };
  return { ...contact, subscribed: kind !== 'pending' };
}

/** A row of these kinds: if one says whether it is subscribed, all do, since a field that is not there is no answer. */
function rowOf(kinds: readonly string[], index: number): Said {
  const kind = kinds[index] ?? 'rejected';
  const isSaid = kinds.some((one) => one === 'unsubscribed' || one === 'leaving');
  return {
    ...{ email: addressOf(index), firstName: kind === 'same' ? 'Old' : 'New' },
    ...(isSaid ? { subscribed: kind !== 'leaving' } : {}),
  };
}

/** A line of the results. */
interface ResultLine {
  readonly row: number;
  readonly email: string;
  readonly outcome: string;
  readonly id?: string;
}

/** The outcome in the results of a row that matches the book. */
const usual = (asks: boolean): Readonly<Record<ContactKind, string>> => ({
  ...{ new: 'new', changed: 'changed', same: 'unchanged', leaving: 'changed' },
  ...{ unsubscribed: 'unsubscribed', rejected: 'rejected' },
  pending: asks ? 'changed' : 'unsubscribed',
});

/** `contact import`, and what must hold for it. */
export function contactImport(history: History, machine: World): Scenario {
  const kinds = history.rows as readonly ContactKind[];
  const bad = kinds.flatMap((kind, index) => (kind === 'rejected' ? [addressOf(index)] : []));
  const strangers = kinds.flatMap((kind, index) => (kind === 'new' ? [addressOf(index)] : []));
  const service = new BookService(machine, history.book === 'asks', new Set(bad), strangers);
  for (const [index, kind] of kinds.entries()) {
    const contact = before(kind, addressOf(index), `before${index + 1}`);
    if (contact !== undefined) service.contacts.set(contact.email, contact);
  }
  return {
    line: [
      ...['contact', 'import', 'rows.json', '--book', bookId, '--yes', '--quiet'],
      ...['--results', 'results.jsonl', '--keep-going', '--retries', String(history.retries)],
    ],
    input: JSON.stringify(kinds.map((_, index) => rowOf(kinds, index))),
    service,
    // The same command sends rows again that were rejected for a reason other than the row.
    isComplete: ({ exitCode, stderr }, isCalm) =>
      exitCode === 0 ||
      (isCalm &&
        /^Error: [\d,]+ new contacts? in B, /m.test(stderr) &&
        // The same line tries rejected contacts again in a new run, but not while this one has unknown ones.
        (Number(/(\d+) rejected/.exec(stderr)?.[1] ?? 0) <= bad.length ||
          /\d+ unknown/.test(stderr))),
    // The program writes one line per row.
    check: (results) => checkResults(service, history, results as ResultLine[]),
  };
}

function checkResults(
  service: BookService,
  history: History,
  results: readonly ResultLine[],
): string[] {
  const found: string[] = [];
  const kinds = history.rows as readonly ContactKind[];
  const order = results.map(({ row }) => row).join();
  if (order !== kinds.map((_, index) => index + 1).join()) found.push(`results of rows ${order}`);
  const mayBeInDoubt = history.troubles.length + history.requests.length > 0;
  const mayBeRejected =
    history.requests.some(([, trouble]) => trouble === 'quota') &&
    results.some(({ outcome }) => outcome === 'unknown');
  for (const { row, email, outcome, id } of results) {
    const kind = kinds[row - 1] ?? 'rejected';
    const contact = service.contacts.get(email);
    const said = rowOf(kinds, row - 1);
    if (email !== said.email) found.push(`row ${row} is about ${email}`);
    const isThere =
      contact?.firstName === said.firstName &&
      (kind !== 'leaving' || contact?.subscribed === false);
    if (kind === 'unsubscribed' && contact?.unsubscribeReason !== left) {
      found.push(`row ${row} is subscribed again`);
    }
    if (outcome === 'missing' || outcome === 'unknown') {
      // An outcome may stay unknown only if sending again would mail somebody.
      if (history.book !== 'asks' || !mayBeInDoubt || isThere) found.push(`row ${row}: ${outcome}`);
    } else if (kind === 'rejected' || outcome === 'rejected') {
      if (outcome !== kind && !mayBeRejected) found.push(`row ${row} (${kind}) is ${outcome}`);
      if (outcome === 'rejected' && isThere) found.push(`row ${row} is there, and rejected`);
    } else {
      if (!isThere) found.push(`row ${row} is not in the book`);
      if (id !== contact?.id) found.push(`row ${row} is not ${id}`);
      // To a new comparison, rows imported by then are unchanged.
      const mayBe = [
        usual(history.book === 'asks')[kind],
        ...(mayBeInDoubt ? ['unchanged', 'changed'] : []),
      ];
      if (!mayBe.includes(outcome)) found.push(`row ${row} (${kind}) is ${outcome}`);
    }
  }
  return found;
}
