import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/lib/base/errors.ts';
import { operationOf } from '../../src/lib/service/http/request-rules.ts';
import { connected } from '../support/connected.ts';
import { asksForStanding } from '../support/recorder.ts';
import { type RecordedReply, type Recording, recordings } from './recordings.ts';
import { kindOfError, shapeOf } from './shape.ts';

/**
 * The two servers' responses, returned to the program by a plain HTTP server: one reply of each shape, to the command of
 * its operation or, if there is none, to `api`; and each that is no rejection to `api`, too. All of them are compared
 * with the sandbox's in test/contract/sandbox-recordings.test.ts.
 */

interface Case {
  readonly name: string;
  readonly recording: Recording;
  readonly reply: RecordedReply;
}

/** The messages of zod 3 for these issues. Its other messages do not matter here. */
const words: Readonly<Record<string, string>> = {
  invalid_union: 'Invalid input',
  invalid_type: 'Required',
};

const cases: readonly Case[] = Object.values(recordings)
  .flat()
  .flatMap((recording) => {
    const { n, name, original, fork } = recording;
    const differ = JSON.stringify(original) !== JSON.stringify(fork);
    return [
      { name: `${n} ${name}`, recording, reply: unmasked(original) },
      ...(differ ? [{ name: `${n} ${name}, the fork`, recording, reply: unmasked(fork) }] : []),
    ];
  });

/** What the program sees of a reply: the operation, the status, and the names and types in the body. */
function shapeOfCase({ recording, reply }: Case): string {
  const { method, path } = recording;
  const template = operationOf({ method, path })?.path ?? path.split('?', 1);
  return `${method} ${template} ${reply.status} ${reply.type} ${shapeOf(reply.body)}`;
}

/** The first case of each shape. */
function oneOfEach<One extends Case>(cases: readonly One[]): readonly One[] {
  return [...Map.groupBy(cases, shapeOfCase).values()].flatMap(([first]) => first ?? []);
}

/** The reply with its masked messages replaced. */
function unmasked(reply: RecordedReply): RecordedReply {
  const text = JSON.stringify(reply, (_, value: unknown) =>
    value !== null && typeof value === 'object' && Reflect.get(value, 'message') === '<message>'
      ? { ...value, message: words[String(Reflect.get(value, 'code'))] ?? 'Nothing of the kind' }
      : value,
  );
  return JSON.parse(text);
}

const commands: readonly [RegExp, string][] = [
  [
    /^POST \/v1\/emails$/,
    'email send --to a@example.org --from hi@example.com --subject s --text t',
  ],
  [/^GET \/v1\/emails\/[^/]+$/, 'email get em_1'],
  [/^GET \/v1\/emails(\?|$)/, 'email list'],
  [/^PATCH \/v1\/emails\/[^/]+$/, 'email reschedule em_1 --scheduled-at 2026-03-01T00:00:00Z'],
  [/^POST \/v1\/emails\/[^/]+\/cancel$/, 'email cancel em_1'],
  [
    /^POST \/v1\/campaigns$/,
    'campaign create --name n --from hi@example.com --subject s --book book_1 --html {{usesend_unsubscribe_url}}',
  ],
  [/^GET \/v1\/campaigns\/[^/]+$/, 'campaign get cm3k9x2f8000008l4'],
  [/^GET \/v1\/campaigns(\?|$)/, 'campaign list'],
  [
    /^POST \/v1\/campaigns\/[^/]+\/schedule$/,
    'campaign schedule cm3k9x2f8000008l4 --scheduled-at 2026-03-01T00:00:00Z --yes --literal --allow-blank --again',
  ],
  [
    /^POST \/v1\/campaigns\/[^/]+\/resume$/,
    'campaign resume cm3k9x2f8000008l4 --yes --literal --allow-blank --again',
  ],
  [/^DELETE \/v1\/campaigns\/[^/]+$/, 'campaign delete cm3k9x2f8000008l4 --yes'],
  [
    /^PATCH \/v1\/contactBooks\/[^/]+\/contacts\/[^/]+$/,
    'contact update c1 --book book_1 --first-name A',
  ],
  [/^GET \/v1\/contactBooks\/[^/]+$/, 'contact book get book_1'],
  [/^POST \/v1\/contactBooks$/, 'contact book create --name N --double-opt-in on'],
  [/^PATCH \/v1\/contactBooks\/[^/]+$/, 'contact book update book_1 --name M --allow-duplicate'],
  [/^GET \/v1\/contactBooks\/[^/]+\/contacts(\?|$)/, 'contact list --book book_1'],
  [/^GET \/v1\/contactBooks\/[^/]+\/contacts\/[^/]+$/, 'contact get c1 --book book_1'],
  [/^POST \/v1\/contactBooks\/[^/]+\/contacts$/, 'contact add --email a@b.co --book book_1'],
  [/^DELETE \/v1\/contactBooks\/[^/]+\/contacts\/[^/]+$/, 'contact delete c1 --book book_1 --yes'],
  [/^DELETE \/v1\/contactBooks\/[^/]+$/, 'contact book delete book_1 --yes'],
  [/^GET \/v1\/domains$/, 'domain list'],
  [/^PUT \/v1\/domains\/[^/]+\/verify$/, 'domain verify 2'],
  [/^DELETE \/v1\/domains\/[^/]+$/, 'domain delete 2 --yes'],
  [/^GET \/v1\/reputation\/events/, 'reputation events'],
];

function commandFor(recording: Recording): readonly string[] | undefined {
  const { method, path } = recording;
  const words = commands.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
  return words === undefined ? undefined : [...words.split(' '), ...keyOf(recording)];
}

/** A 409 means that the key was used for something else only if the user gave it. */
function keyOf({ headers }: Recording): readonly string[] {
  const key = headers['idempotency-key'];
  return key === undefined ? [] : ['--idempotency-key', key];
}

/** Whether `api` sends such a request at all. */
function isSendable({ method, text, headers }: Recording): boolean {
  if (method === 'OPTIONS' || /\s/.test(headers['idempotency-key'] ?? '')) return false;
  try {
    JSON.parse(text ?? '{}');
    return true;
  } catch {
    return false;
  }
}

/** The request itself, as far as `api` can send it. */
function asApi(recording: Recording): readonly string[] {
  const { method, path, text } = recording;
  const filled = path.replace(/\$[A-Z]\d?\b/g, 'id_1');
  // A HEAD request has nothing to show.
  const asked = method === 'HEAD' ? 'GET' : method;
  const sends = text !== undefined && asked !== 'GET';
  return ['api', asked, filled, '--yes', ...keyOf(recording), ...(sends ? ['--input', '-'] : [])];
}

/** A program at a service with this response to every request. */
async function at({ recording, reply }: Case) {
  const { status, type, body } = reply;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const given = asksForStanding(recording.path)
    ? Object.assign(answer, { standing: true } as const)
    : answer;
  const { run } = await connected(...Array.from({ length: 100 }, () => given));
  return async (command: readonly string[], options: { readonly terminal?: number } = {}) =>
    await run(command, { stdin: recording.text ?? '', ...options });

  function answer(response: ServerResponse): void {
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_1' }).end(text);
  }
}

type Program = Awaited<ReturnType<typeof at>>;

const codeOfStatus: Readonly<Record<number, number>> = {
  400: exitCodes.rejected,
  401: exitCodes.auth,
  403: exitCodes.auth,
  404: exitCodes.not_found,
  409: exitCodes.conflict,
  500: exitCodes.unavailable,
};

/** What values look like that were printed without being formatted. */
const unreadable = /\bundefined\b|\[object|\bNaN\b|Invalid Date/;

/** A message without any detail. */
const wordless = /(^|[:;] ?)Invalid input($|[;.\n])/m;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin the terminal's sequences.
const controlSequence = /\x1b\[[\d?;]*[A-Za-z]/g;

async function expectRefusal(one: Case, command: readonly string[]): Promise<void> {
  const { status, body } = one.reply;
  const run = await at(one);
  const json = await run([...command, '--json']);
  expect(json).toMatchObject({ exitCode: codeOfStatus[status], stdout: '' });
  const { error } = JSON.parse(json.stderr);
  expect(error).toMatchObject({ status, requestId: 'req_1' });
  const said = Object(Object(body).error);
  if (kindOfError(body) === 'envelope') {
    expect(error).toMatchObject({ apiCode: said.code });
    expect(error.message).toContain(said.message);
  }
  if (kindOfError(body) === 'bare') expect(error.message).toContain(said.toString());
  if (kindOfError(body) === 'issues') {
    const paths = error.issues.map((issue: { path: unknown }) => issue.path);
    for (const { path } of said.issues) expect(paths).toContainEqual(path);
  }
  expect(error.message).not.toMatch(wordless);

  // A pipe gets the same text, without a spinner, which comes first on a slow machine and which the terminal removes.
  const shown = await run([...command, '--no-color'], { terminal: 80 });
  const stderr = shown.stderr.replaceAll(controlSequence, '\n');
  expect(shown).toMatchObject({ exitCode: codeOfStatus[status], stdout: '' });
  expect(stderr).toMatch(/^Error: \S/m);
  expect(stderr).not.toMatch(unreadable);
  expect(stderr).not.toMatch(wordless);
}

/** The rejections that commands of their operations get. */
const refusals = oneOfEach(
  cases.flatMap((one) => {
    const command = commandFor(one.recording);
    return one.reply.status < 400 || command === undefined ? [] : [{ ...one, command }];
  }),
);
const shapesOfRefusals = new Set(refusals.map(shapeOfCase));
const ofApi = oneOfEach(cases.filter(({ recording }) => isSendable(recording))).filter(
  (one) => !shapesOfRefusals.has(shapeOfCase(one)),
);

test('the recordings have so many shapes, and one of each is tried', () => {
  const shapes = new Set(cases.map(shapeOfCase));
  expect({ replies: cases.length, shapes: shapes.size }).toEqual({ replies: 447, shapes: 212 });
  const tried = new Set([...refusals, ...ofApi].map(shapeOfCase));
  // Which the program never sends.
  const other = 'OPTIONS /v1/emails 404 text/plain string';
  expect([...shapes].filter((shape) => !tried.has(shape))).toEqual([other]);
});

describe('api', () => {
  test.each(ofApi)('$name', async (one) => {
    const command = asApi(one.recording);
    if (one.reply.status >= 400) {
      await expectRefusal(one, command);
      return;
    }
    const { body } = one.reply;
    const run = await at(one);
    const json = await run([...command, '--json']);
    // A template without HTML shows nothing.
    const said = one.name.includes('template create')
      ? /^(Warning: Readers would see[\s\S]*)?$/
      : /^$/;
    expect(json).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(said) });
    // HEAD has no body.
    expect(json.stdout === '' ? '' : JSON.parse(json.stdout)).toEqual(body);
    const rows = rowsOf(body);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    for (const flag of ['--csv', '-q']) {
      const { exitCode, stdout, stderr } = await run([...command, flag]);
      expect(exitCode, flag).toBe(0);
      expect(stderr).toMatch(rows.length === 0 ? /^(No rows\.\n)?$/ : said);
      expect(stdout).not.toMatch(unreadable);
    }
    if (rows.length === 0) return;
    const chosen = await run([...command, '--jsonl', '--fields', names.join()]);
    expect(chosen).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(said) });
    expect(linesOf(chosen.stdout)).toEqual(
      rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
    );
    await expectUnknownField(run, command, names[0] ?? '');
  });
});

/** The objects of a response: the entries of its only list, or the response itself. */
function rowsOf(body: unknown): Readonly<Record<string, unknown>>[] {
  if (body === '') return [];
  const parts = Object(body);
  const lists = [parts, ...(Object.hasOwn(parts, 'id') ? [] : Object.values(parts))].filter(
    (part) => Array.isArray(part) && part.every((entry) => entry === Object(entry)),
  );
  return (lists.length === 1 ? lists[0] : undefined) ?? [parts];
}

function linesOf(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A name that no row has is an error, or a warning if the request may have changed something. */
async function expectUnknownField(run: Program, command: readonly string[], known: string) {
  const { exitCode, stdout, stderr } = await run([...command, '--fields', `${known},nothing.such`]);
  const writes = command[1] !== 'GET';
  expect(exitCode).toBe(writes ? 0 : 2);
  expect(stderr).toMatch(
    writes
      ? /^Warning: --fields: there is no field nothing\.such\.$/m
      : /^Error: --fields: there is no field nothing\.such$/m,
  );
  if (writes) expect(stdout).toContain(known);
  else expect(stdout).toBe('');
}

describe('the command of the operation', () => {
  test.each(refusals)('$name', async ({ command, ...one }) => {
    await expectRefusal(one, command);
  });

  const reads =
    /^(email get|email list|campaign get|campaign list|contact book get|contact list|contact get|domain list|reputation)/;
  const shown = cases.flatMap((one) => {
    const command = commandFor(one.recording);
    const isShown = one.reply.status < 400 && reads.test(command?.join(' ') ?? '');
    // HEAD has nothing to show.
    if (command === undefined || !isShown || one.reply.body === '') return [];
    const { body } = one.reply;
    // Ids are masked.
    const id = command[command.indexOf('get') + 1];
    const asked = Object.hasOwn(Object(body), 'id') ? { ...Object(body), id } : body;
    return [{ ...one, reply: { ...one.reply, body: asked }, command }];
  });
  test.each(oneOfEach(shown))('$name, shown', async ({ command, ...one }) => {
    const run = await at(one);
    const json = await run([...command, '--json']);
    expect(json).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(json.stdout)).toEqual(one.reply.body);
    for (const options of [{}, { terminal: 80 }, { terminal: 160 }]) {
      const { exitCode, stdout, stderr } = await run([...command, '--no-color'], options);
      expect(exitCode).toBe(0);
      expect(stdout + stderr).not.toMatch(unreadable);
      expect(stdout).not.toMatch(/\bnull\b/);
    }
  });
});
