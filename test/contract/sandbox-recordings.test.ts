import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { seedFile } from '../../src/sandbox/seeds/seed-file.ts';
import { email, hour, start, startSandbox, type TestSandbox } from '../sandbox/harness.ts';
import { exceptions } from './exceptions.ts';
import { type RecordedReply, type Recording, recordings } from './recordings.ts';
import { differences, kindOfError } from './shape.ts';

/**
 * The recorded requests, sent to the sandbox in order, from a state like the two servers'. Each
 * response must be like that of one server, or reject what the servers should have rejected.
 */

/** The two servers' data at the start, as far as the requests depend on it. */
const before = seedFile.parse({
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
});

function change(fromState: string, toState: string) {
  return { fromState, toState, bounceRate: 0.4, sampleSize: 3000, actor: 'system', reason: 'ok' };
}

/** Creates what paths and bodies refer to, and returns the ids. */
async function placeholders({ ok, request, sandbox }: TestSandbox) {
  const twoHoursLater = new Date(start + 2 * hour).toISOString();
  const campaign = {
    ...{ name: 'n', from: 'news@example.com', subject: 's', contactBookId: 'book_customers' },
    html: "<p>x</p><a href='{{usesend_unsubscribe_url}}'>U</a>",
  };
  const book = idIn((await request('POST', '/contactBooks', { body: { name: 'N' } })).body, 'id');
  const contact = { body: { email: 'k@example.org' } };
  const added = await request('POST', `/contactBooks/${book}/contacts`, contact);
  return {
    $KEY: sandbox.apiKey,
    $E: (await ok('email.send', { body: email() })).emailId,
    $S: (await ok('email.send', { body: email({ scheduledAt: twoHoursLater }) })).emailId,
    $C: (await ok('campaign.create', { body: campaign })).id,
    $B: book,
    $K: idIn(added.body, 'contactId'),
  };
}

function idIn(body: unknown, field: string): string {
  return String(Reflect.get(Object(body), field));
}

async function replay() {
  const service = startSandbox({ fresh: { empty: true, seeds: before } });
  const ids = await placeholders(service);
  // By the first request, the events of earlier emails have been reported.
  service.advance(60_000);
  const replies: { recording: Recording; reply: RecordedReply }[] = [];
  for (const recording of recordings) replies.push({ recording, reply: await send(recording) });
  return replies;

  async function send({ method, path, headers, text }: Recording): Promise<RecordedReply> {
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

  function filled(text: string): string {
    return text.replace(/\$(?:KEY|[ESCBK])\b/g, (name) => Reflect.get(ids, name));
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

/** The finding for the server whose response is more similar. */
function findingOf({ original, fork }: Recording, ours: RecordedReply): Finding {
  const [first, second] = [against(ours, original), against(ours, fork)];
  if (first.differs === null) return second;
  return (second.differs?.length ?? Number.POSITIVE_INFINITY) < first.differs.length
    ? second
    : first;
}

test('each recorded request gets the recorded response, or is a listed exception', async () => {
  const replies = await replay();
  const found = replies.map(({ recording, reply }) => ({
    name: `${recording.n} ${recording.name}`,
    finding: findingOf(recording, reply),
  }));
  expect(found).toHaveLength(152);
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
