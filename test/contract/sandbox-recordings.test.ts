import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Seed, seedFile } from '../../src/sandbox/seeds/seed-file.ts';
import { email, hour, start, startSandbox, type TestSandbox } from '../sandbox/harness.ts';
import { exceptions } from './exceptions.ts';
import { type RecordedReply, type Recording, recordings } from './recordings.ts';
import { differences, kindOfError } from './shape.ts';

/**
 * The recorded requests, sent to the sandbox in order, from a state like the two servers'. Each
 * response must be like that of one server, or reject what the servers should have rejected.
 */

/** A file of recordings, with the state that its requests depend on. */
interface Setting {
  readonly recordings: readonly Recording[];
  readonly before: Seed;
  /** Creates what paths and bodies refer to, and returns the ids. */
  readonly placeholders: (service: TestSandbox) => Promise<Readonly<Record<string, string>>>;
}

const html = "<p>x</p><a href='{{usesend_unsubscribe_url}}'>U</a>";
const scheduledAt = new Date(start + 2 * hour).toISOString();

const settings: readonly Setting[] = [
  {
    recordings: recordings.first,
    before: seedFile.parse({
      domains: [
        { id: 1, name: 'example.com', dmarcAdded: false },
        { id: 2, name: 'example.org', status: 'PENDING' },
        { id: 6, name: 'second.example.com', dmarcAdded: false },
      ],
      books: [{ id: 'book_customers', name: 'Customers', variables: ['plan'] }],
      contacts: ['ana', 'ben', 'chloe'].map((name) => ({
        ...{ book: 'book_customers', email: `${name}@example.org`, properties: { plan: 'pro' } },
      })),
      reputationEvents: [
        { ...change('SUPERVISED', 'HEALTHY'), id: 'rep_2', createdAt: '2026-01-03T00:00:00Z' },
        { ...change('BLOCKED', 'SUPERVISED'), id: 'rep_1', createdAt: '2026-01-02T00:00:00Z' },
      ],
    }),
    async placeholders({ ok, request }) {
      const from = 'news@example.com';
      const campaign = { name: 'n', from, subject: 's', contactBookId: 'book_customers', html };
      const book = idIn(
        (await request('POST', '/contactBooks', { body: { name: 'N' } })).body,
        'id',
      );
      const contact = { body: { email: 'k@example.org' } };
      const added = await request('POST', `/contactBooks/${book}/contacts`, contact);
      return {
        $E: (await ok('email.send', { body: email() })).emailId,
        $S: (await ok('email.send', { body: email({ scheduledAt }) })).emailId,
        $C: (await ok('campaign.create', { body: campaign })).id,
        $B: book,
        $K: idIn(added.body, 'contactId'),
      };
    },
  },
  {
    recordings: recordings.second,
    before: seedFile.parse({
      domains: [{ id: 3, name: 'bulk.example.com' }],
      books: [
        {
          ...{ id: 'book_seg', name: 'Seg', variables: ['plan'] },
          ...{ doubleOptInSubject: 's', doubleOptInContent: '{}' },
        },
      ],
      contacts: [
        { ...inBook('book_seg', 'ana@seg.example.org', 'pro'), firstName: 'Ana' },
        { ...inBook('book_seg', 'ben@seg.example.org', 'free'), firstName: 'Ben' },
        { book: 'book_seg', email: 'cy@seg.example.org' },
      ],
      templates: [{ id: 'template_t', name: 'T', subject: 's', html: '<p>t</p>' }],
    }),
    async placeholders({ ok, request }) {
      const from = 'hi@bulk.example.com';
      const book = { name: 'Fid', variables: ['plan'], doubleOptInEnabled: false };
      const contactBookId = (await ok('contactBook.create', { body: book })).id;
      const k = { email: 'k@fid.example.org', firstName: 'K', properties: { plan: 'pro' } };
      const k2 = { email: 'K2@fid.example.org', properties: { plan: 'free' } };
      const params = { contactBookId };
      const { contactId } = await ok('contact.create', { params, body: k });
      await ok('contact.create', { params, body: k2 });
      const rules = onlyIf({ field: 'properties.plan', op: 'eq', value: 'pro' });
      const segment = { body: { name: 'Pro', contactBookId, rules } };
      const campaign = { name: 'Fid', from, subject: 's', contactBookId, html };
      await ok('email.send', { body: email({ from, to: 'bounced@camp.example.org' }) });
      return {
        $E: (await ok('email.send', { body: email({ from }) })).emailId,
        $S: (await ok('email.send', { body: email({ from, scheduledAt }) })).emailId,
        $C: (await ok('campaign.create', { body: campaign })).id,
        $B: contactBookId,
        $K: contactId,
        $G: idIn((await request('POST', '/segments', segment)).body, 'id'),
        ...{ $T: 'template_t', $D: '3', $F: from },
      };
    },
  },
  {
    recordings: recordings.third,
    before: seedFile.parse({
      domains: [{ id: 6, name: 'c.example.com' }],
      // The newest email of the servers was a scheduled one.
      messages: [
        {
          ...{ from: 'hi@c.example.com', to: ['a@r.example.org'], subject: 's', text: 'x' },
          ...{ at: new Date(start + hour).toISOString(), scheduledAt },
        },
      ],
    }),
    async placeholders({ ok }) {
      const from = 'hi@c.example.com';
      const book = { name: 'Req', variables: ['plan'], doubleOptInEnabled: false };
      const contactBookId = (await ok('contactBook.create', { body: book })).id;
      const other = (await ok('contactBook.create', { body: { ...book, name: 'Other' } })).id;
      const params = { contactBookId };
      const k = { email: 'k@r.example.org', firstName: 'K', properties: { plan: 'pro' } };
      const { contactId } = await ok('contact.create', { params, body: k });
      const campaign = { name: 'N', from, subject: 's', contactBookId, html };
      return {
        $E: (await ok('email.send', { body: email({ from }) })).emailId,
        $S: (await ok('email.send', { body: email({ from, scheduledAt }) })).emailId,
        $C: (await ok('campaign.create', { body: campaign })).id,
        ...{ $B: contactBookId, $B2: other, $K: contactId, $F: from },
      };
    },
  },
];

function change(fromState: string, toState: string) {
  return { fromState, toState, bounceRate: 0.4, sampleSize: 3000, actor: 'system', reason: 'ok' };
}

function inBook(book: string, email: string, plan: string) {
  return { book, email, properties: { plan } };
}

function onlyIf(condition: unknown) {
  return { match: 'all', conditions: [condition] };
}

function idIn(body: unknown, field: string): string {
  return String(Reflect.get(Object(body), field));
}

async function replay({ recordings, before, placeholders }: Setting) {
  const service = startSandbox({ fresh: { empty: true, seeds: before } });
  const ids: Readonly<Record<string, string>> = {
    ...(await placeholders(service)),
    $KEY: service.sandbox.apiKey,
  };
  // By the first request, the events of earlier emails have been reported.
  service.advance(60_000);
  const replies: { recording: Recording; reply: RecordedReply }[] = [];
  for (const recording of recordings) replies.push({ recording, reply: await send(recording) });
  return replies;

  async function send({ method, path, headers, text, condition }: Recording) {
    const segment = condition === undefined ? ids.$G : await segmentWith(condition);
    const filled = (text: string) =>
      text.replace(
        /\$(?:KEY|[A-Z]\d?)\b/g,
        (name) => (name === '$G' ? segment : ids[name]) ?? name,
      );
    const usual = {
      authorization: 'Bearer $KEY',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const given = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== '');
    const response = await service.sandbox.fetch(
      new Request(filled(`http://sandbox.test/api${path}`), {
        method,
        headers: given.map(([name, value]): [string, string] => [name, filled(value)]),
        // As bytes, because for a string fetch adds a content type of text.
        ...(text === undefined ? {} : { body: new TextEncoder().encode(filled(text)) }),
      }),
    );
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    return { status: response.status, type, body: bodyOf(await response.text()) };
  }

  async function segmentWith(condition: unknown): Promise<string> {
    const body = { name: 'S', contactBookId: 'book_seg', rules: onlyIf(condition) };
    return idIn((await service.request('POST', '/segments', { body })).body, 'id');
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The sandbox's response, and how it differs from a server's. */
function against(ours: RecordedReply, theirs: RecordedReply): Finding {
  const answer = ours.status < 400 ? `${ours.status}` : `${ours.status} ${kindOfError(ours.body)}`;
  const same = ours.status === theirs.status && ours.type === theirs.type;
  if (!same || kindOfError(ours.body) !== kindOfError(theirs.body))
    return { answer, differs: null };
  return { answer, differs: differences(ours.body, theirs.body) };
}

interface Finding {
  readonly answer: string;
  /** Null if status, media type or kind of error differ. */
  readonly differs: readonly string[] | null;
}

function isSame({ differs }: Finding): boolean {
  return differs?.length === 0;
}

/**
 * The finding for the server whose response is more similar. A server that does not have the
 * endpoint does not count if the other one has it.
 */
function findingOf({ original, fork }: Recording, ours: RecordedReply): Finding {
  const second = against(ours, fork);
  if (isMissing(original)) return second;
  const first = against(ours, original);
  if (first.differs === null) return second;
  return (second.differs?.length ?? Number.POSITIVE_INFINITY) < first.differs.length
    ? second
    : first;
}

function isMissing({ status, type }: RecordedReply): boolean {
  return status === 404 && type === 'text/plain';
}

test('each recorded request gets the recorded response, or is a listed exception', async () => {
  const replies = (await Promise.all(settings.map(replay))).flat();
  const found = replies.map(({ recording, reply }) => ({
    name: `${recording.n} ${recording.name}`,
    finding: findingOf(recording, reply),
  }));
  expect(found).toHaveLength(152 + 134 + 71);
  const others = found.filter(({ finding }) => !isSame(finding));
  expect(Object.fromEntries(others.map(({ name, finding }) => [name, finding]))).toEqual(
    Object.fromEntries(
      Object.entries(exceptions).map(([name, { answer, differs = null }]) => [
        name,
        { answer, differs },
      ]),
    ),
  );
});

test('the documentation has a row for each exception', () => {
  const rows = readFileSync('docs/sandbox.md', 'utf8')
    .split('\n')
    .flatMap((line) => /^\| (?<first>.+?) \| .+ \| .+ \|$/.exec(line)?.groups?.first ?? []);
  for (const { row } of Object.values(exceptions)) expect(rows).toContain(row);
});
