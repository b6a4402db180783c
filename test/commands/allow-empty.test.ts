import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf, fileIn, key } from '../support/connected.ts';
import { startContactService } from '../support/contact-service.ts';
import { createWorld, type World } from '../support/run.ts';

const batch = ['email', 'batch', 'people.csv', '--from', 'news@example.com', '--subject', 'Hi'];
const text = ['--text', 'Hello {{ name }}'];
const importing = 'contact import people.csv --book Customers'.split(' ');

/** Files without a row, which a program wrote that found nothing. */
const withoutRows = [
  ['a header', 'to,name\n'],
  ['an array', '[]\n'],
  ['an array with white space', ' [ \n ]'],
  ['a compressed header', gzipSync('to,name\n')],
  ['a header below sep=', 'sep=;\nto;name\n'],
] as const;

/** Files that no program writes on purpose. */
const empty = [
  ['zero bytes', ''],
  ['white space', ' \r\n\n'],
  ['a byte order mark', '\ufeff'],
  ['compressed zero bytes', gzipSync('')],
] as const;

const nothing = 'There is nothing to send: the input has no rows.\n';

const failedQuery = 'An empty file most often comes from a query that failed.';

async function book(): Promise<{ world: World; seen(): string[]; run: World['run'] }> {
  const service = await startContactService();
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  return { world, seen: () => [...service.seen()], run: world.run };
}

describe('email batch', () => {
  const runs = async ({ run }: Connected) =>
    JSON.parse((await run('run list --json')).stdout) as readonly unknown[];

  test.each(withoutRows)('%s: 0 with --allow-empty, and again', async (_, content) => {
    const at = await connected();
    at.file('people.csv', content);
    const line = [...batch, ...text, '--allow-empty'];
    for (const _ of ['first', 'second']) {
      expect(await at.run(line)).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: nothing,
      });
    }
    const { exitCode, stdout, stderr } = await at.run([...line, '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: nothing });
    expect(JSON.parse(stdout)).toEqual({
      run: expect.stringMatching(/^[0-9a-f]{8,}$/),
      ...{ rows: 0, emails: 0, accepted: 0, rejected: 0, unknown: 0 },
    });
    expect(at.requests()).toEqual([]);
  });

  test('the run is found by its name, and resuming it sends nothing', async () => {
    const at = await connected();
    at.file('people.csv', 'to,name\n');
    const { stdout } = await at.run([...batch, ...text, '--allow-empty', '--json']);
    const { run } = JSON.parse(stdout);
    expect(await at.run(['run', 'get', run, '--json'])).toMatchObject({ exitCode: 0 });
    const resumed = await at.run(['run', 'resume', run]);
    expect(resumed).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: nothing,
    });
    expect(await runs(at)).toHaveLength(1);
  });

  test.each([
    ['stdin', '-', []],
    ['a shard', 'people.csv', ['--shard', '2/3']],
    ['--var that no email uses', 'people.csv', ['--var', 'plan=pro']],
    ['a column that no row has', 'people.csv', ['--map', 'plan=Plan', '--ignore-column', 'Status']],
    ['a template that asks for a column', 'people.csv', ['--reply-to', 'me@example.com']],
    ['--check', 'people.csv', ['--check']],
    ['--unique and --skip-invalid', 'people.csv', ['--unique', '--skip-invalid']],
    ['--again', 'people.csv', ['--again=2']],
    ['--wait', 'people.csv', ['--wait']],
  ])('with %s', async (_, path, flags) => {
    const at = await connected();
    at.file('people.csv', '[]');
    const words = [...batch.with(2, path), ...text, '--allow-empty', ...flags];
    expect(await at.run(words, { stdin: '[]' })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: nothing,
    });
    expect(at.requests()).toEqual([]);
  });

  test('a tag that no row fills in is not an error', async () => {
    const at = await connected();
    at.file('people.csv', '[]');
    const words = [...batch, '--text', '{% if plan == "pro" %}Pro{% endif %}', '--allow-empty'];
    expect(await at.run(words)).toMatchObject({ exitCode: 0 });
  });

  test('--results is a file without rows', async () => {
    const at = await connected();
    at.file('people.csv', 'to,name\n');
    const words = [...batch, ...text, '--allow-empty', '--results'];
    await at.run([...words, 'sent.jsonl']);
    await at.run([...words, 'sent.csv']);
    expect(readFileSync(join(at.world.home, 'sent.jsonl'), 'utf8')).toBe('');
    expect(readFileSync(join(at.world.home, 'sent.csv'), 'utf8')).toMatch(/^row,to,.*\r\n$/);
  });

  test('--dry-run needs no account', async () => {
    const world = createWorld();
    fileIn(world, 'people.csv', '[]');
    expect(await world.run([...batch, ...text, '--allow-empty', '--dry-run'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'There is nothing to send.\n',
    });
  });

  test('rows that follow later are sent, without a word about the empty file', async () => {
    const world = createWorld();
    fileIn(world, 'people.csv', 'to,name\n');
    const words = [...batch, ...text, '--allow-empty', '--sandbox', '--yes'];
    expect(await world.run(words)).toMatchObject({ exitCode: 0 });
    fileIn(world, 'people.csv', 'to,name\nana@example.org,Ana\n');
    const { exitCode, stderr } = await world.run(words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Accepted 1 of 1 email.\n' });
  });

  test.each(withoutRows)('%s: 2 without --allow-empty, which is named', async (_, content) => {
    const at = await connected();
    at.file('people.csv', content);
    const outcome = await at.run([...batch, ...text, '--yes', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message: 'people.csv contains no emails',
      hint: 'Nothing was sent. If there may be nothing to do, add --allow-empty.',
    });
  });

  test.each(empty)('%s: 2 also with --allow-empty', async (_, content) => {
    const at = await connected();
    at.file('people.csv', content);
    const outcome = await at.run([...batch, ...text, '--allow-empty', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message: 'people.csv is empty',
      hint: `Nothing was sent. ${failedQuery}`,
    });
  });
});

describe('contact import', () => {
  test.each([
    ['a header', 'email,plan\n'],
    ['an array', '[]'],
  ])('%s: 0 with --allow-empty, and again', async (_, content) => {
    const at = await book();
    fileIn(at.world, 'people.csv', content);
    const words = [...importing, '--allow-empty', '--map', 'plan=Plan'];
    for (const _ of ['first', 'second']) {
      expect(await at.run(words)).toEqual({
        exitCode: 0,
        stdout: 'book_1\n',
        stderr: nothing,
      });
    }
    const { exitCode, stdout, stderr } = await at.run([...words, '--json', '--results', 'r.jsonl']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: nothing });
    const { contactBookId, book: name, columnsToCheck, ...counts } = JSON.parse(stdout);
    expect([contactBookId, name]).toEqual(['book_1', 'Customers']);
    expect(columnsToCheck).toEqual([]);
    expect(new Set(Object.values(counts))).toEqual(new Set([0]));
    expect(readFileSync(join(at.world.home, 'r.jsonl'), 'utf8')).toBe('');
    expect(at.seen().filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test('--dry-run', async () => {
    const at = await book();
    fileIn(at.world, 'people.csv', '[]');
    const outcome = await at.run([...importing, '--allow-empty', '--dry-run']);
    expect(outcome).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'There is nothing to send.\n',
    });
  });

  test('2 without the flag, which is named, and for zero bytes with it', async () => {
    const at = await book();
    fileIn(at.world, 'people.csv', '[]');
    const refused = errorOf(await at.run([...importing, '--yes', '--json']));
    expect(refused).toEqual({
      code: 'usage',
      message: 'people.csv contains no contacts',
      hint: 'Nothing was sent. If there may be nothing to do, add --allow-empty.',
    });
    fileIn(at.world, 'people.csv', '');
    const error = errorOf(await at.run([...importing, '--allow-empty', '--json']));
    expect(error).toEqual({
      code: 'usage',
      message: 'people.csv is empty',
      hint: `Nothing was sent. ${failedQuery}`,
    });
  });

  test('contact sync has no such flag, and does not name it', async () => {
    const at = await book();
    fileIn(at.world, 'people.csv', '[]');
    const sync = 'contact sync people.csv --book Customers --yes'.split(' ');
    const { stderr } = await at.run(sync);
    expect(stderr).toBe('Error: people.csv contains no contacts\n');
    expect(await at.run([...sync, '--allow-empty'])).toMatchObject({ exitCode: 2 });
  });
});

describe('template push', () => {
  test('an empty directory: 0 with --allow-empty, without an account', async () => {
    const world = createWorld();
    mkdirSync(join(world.home, 'templates'));
    const words = 'template push templates --allow-empty'.split(' ');
    for (const more of [[], ['--dry-run'], ['--yes']]) {
      expect(await world.run([...words, ...more])).toEqual({
        exitCode: 0,
        stdout: 'file\tname\tid\tresult\n',
        stderr: 'There is nothing to create: templates has no templates.\n',
      });
    }
    expect(await world.run([...words, '--json'])).toEqual({
      exitCode: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });

  test('2 without the flag, which is named, and for a directory that is not there with it', async () => {
    const world = createWorld();
    mkdirSync(join(world.home, 'templates'));
    const refused = errorOf(await world.run('template push templates --yes --json'));
    expect(refused).toEqual({
      code: 'usage',
      message: 'templates has no templates, which are files ending in .html',
      hint: 'Nothing was created. If there may be nothing to do, add --allow-empty.',
    });
    const missing = await world.run('template push none --allow-empty');
    expect(missing).toMatchObject({ exitCode: 2 });
  });
});
