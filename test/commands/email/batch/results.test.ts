import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  impatient,
  journalOf,
  line,
  printedWords,
  repeat,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf } from '../../../support/connected.ts';
import { needing, noRoot } from '../../../support/needs.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

/** Expects an error before anything is sent. */
async function expectRefused(setup: Connected, words: readonly string[]): Promise<string> {
  const outcome = await setup.run([...words, '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(setup.service.requests).toEqual([]);
  return errorOf(outcome).message;
}

describe('--results is tried before anything is sent', () => {
  test.each([
    ['none/results.jsonl', 'its directory does not exist'],
    ['.', 'it is a directory'],
    ['people.csv/results.jsonl', 'a part of its path is not a directory'],
  ])('%s', async (path, reason) => {
    const setup = await setUp(3, accept);
    const message = await expectRefused(setup, [...line, '--results', path]);
    expect(message).toBe(`--results: ${path} cannot be written: ${reason}`);
  });

  test('a directory that is read-only', needing(noRoot), async () => {
    const setup = await setUp(3, accept);
    mkdirSync(join(setup.world.home, 'closed'), { mode: 0o500 });
    const message = await expectRefused(setup, [...line, '--results', 'closed/r.jsonl']);
    expect(message).toContain('permission denied');
  });

  test('before the rows are checked, too, and if there is a run already', async () => {
    const setup = await connected();
    setup.file('people.csv', 'to,name\nnobody,Ana\n');
    expect(await expectRefused(setup, [...line, '--results', '.'])).toContain('--results');
  });

  test('existing files are unchanged, and none is created', async () => {
    const setup = await connected();
    setup.file('people.csv', 'to,name\nnobody,Ana\n');
    setup.file('old.jsonl', 'old');
    await expectRefused(setup, [...line, '--results', 'old.jsonl']);
    await expectRefused(setup, [...line, '--results', 'new.jsonl']);
    expect(readFileSync(join(setup.world.home, 'old.jsonl'), 'utf8')).toBe('old');
    expect(readdirSync(setup.world.home).filter((name) => /new|tmp/.test(name))).toEqual([]);
  });
});

describe('--results does not take the place of what is read', () => {
  test.each<[string, readonly string[]]>([
    ['people.csv', []],
    ['./people.csv', []],
    ['symbolic.csv', []],
    ['hard.csv', []],
    ['body.txt', ['--text-file', 'body.txt']],
    ['body.html', ['--html-file', 'body.html']],
    ['vars.json', ['--template', 'tmpl_1', '--vars-file', 'vars.json']],
    ['note.pdf', ['--attach', 'body.txt', '--attach', 'note.pdf']],
  ])('%s %j', async (path, flags) => {
    const setup = await setUp(3, accept);
    const { home } = setup.world;
    symlinkSync('people.csv', join(home, 'symbolic.csv'));
    linkSync(join(home, 'people.csv'), join(home, 'hard.csv'));
    for (const name of ['body.txt', 'body.html', 'note.pdf']) setup.file(name, 'Hello');
    setup.file('vars.json', { a: 'b' });
    const content = () => readFileSync(join(home, path), 'utf8');
    const before = content();
    const words = line.filter((word) => flags.length === 0 || !['--text', 'Hello'].includes(word));
    const message = await expectRefused(setup, [...words, ...flags, '--results', path]);
    expect(message).toContain(`--results: ${path} is`);
    expect(content()).toBe(before);
  });

  test('a file of the same content is another one', async () => {
    const setup = await setUp(3, accept);
    setup.file('copy.csv', peopleCsv(3));
    expect(await setup.run([...line, '--results', 'copy.csv'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(setup.world.home, 'copy.csv'), 'utf8')).toContain('em_p1@');
  });
});

test('results in CSV hold values as they are, and with --csv-safe no formulas', async () => {
  const setup = await connected(accept);
  setup.file('people.csv', 'to,name\n=1+1@example.org,Ana\n');
  const results = () => readFileSync(join(setup.world.home, 'r.csv'), 'utf8').split('\r\n')[1];
  expect((await setup.run([...line, '--results', 'r.csv'])).exitCode).toBe(0);
  expect(results()).toMatch(/^1,=1\+1@example\.org,em_/);
  expect((await setup.run([...line, '--results', 'r.csv', '--csv-safe'])).exitCode).toBe(0);
  expect(results()).toMatch(/^1,'=1\+1@example\.org,em_/);
});

/** Accepts the request after changing something on the machine. */
function acceptAnd(work: () => void): Answer {
  return (response, request) => {
    work();
    accept(response, request);
  };
}

describe('a machine that fails after emails went out', () => {
  test('--results cannot be written after all: 12', async () => {
    const out = () => join(setup.world.home, 'out');
    const setup: Connected = await setUp(
      3,
      acceptAnd(() => rmSync(out(), { recursive: true })),
    );
    mkdirSync(out());
    const words = [...line, '--results', 'out/results.jsonl'];
    const outcome = await setup.run([...words, '--json']);
    expect(outcome.exitCode).toBe(12);
    const { code, message, run, hint = '' } = errorOf(outcome);
    expect(code).toBe('output_failed');
    expect(message).toMatch(
      /^Accepted 3 of 3 emails\. --results: out\/results\.jsonl cannot be written/,
    );
    expect(run).toMatch(/^[0-9a-f]{32}$/);
    expect(hint).toMatch(/3 of 3 emails are accepted .*without sending anything twice/s);
    mkdirSync(out());
    expect(await setup.run(printedWords(hint))).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(out(), 'results.jsonl'))).toBe(true);
    expect(setup.service.requests).toHaveLength(1);
  });

  test('but 2 when all went out before', async () => {
    const setup = await setUp(3, accept);
    await setup.run(line);
    expect((await setup.run([...line, '--results', '.'])).exitCode).toBe(2);
  });

  test('by --again, the line that is printed sends nothing again', async () => {
    const out = () => join(setup.world.home, 'out');
    const setup: Connected = await setUp(
      3,
      accept,
      acceptAnd(() => rmSync(out(), { recursive: true })),
    );
    await setup.run(line);
    mkdirSync(out());
    const { exitCode, stderr } = await setup.run([...line, '--again', '--results', 'out/r.jsonl']);
    expect(exitCode).toBe(12);
    mkdirSync(out());
    expect(await setup.run(printedWords(stderr))).toMatchObject({ exitCode: 0 });
    expect(setup.service.requests).toHaveLength(2);
  });

  test('a request that cannot be read any more: 11', async () => {
    const setup: Connected = await setUp(
      250,
      acceptAnd(() => {
        const damage = 'UPDATE body SET compressed = zeroblob(length(compressed)) WHERE chunk = 3';
        journalOf(setup.world).exec(damage);
      }),
      ...repeat(2, accept),
    );
    const outcome = await setup.run([...impatient, '--json']);
    expect(outcome.exitCode).toBe(11);
    expect(errorOf(outcome).message).toContain('has a damaged request');
    expect(sentTo(setup).length).toBeGreaterThan(0);
    const again = await setup.run(impatient);
    expect(again.exitCode).toBe(2);
  });
});

test('two machines that share a directory keep their results apart', async () => {
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const together: Answer = async (response, request) => {
    if (++waiting === 2) both.resolve();
    await both.promise;
    accept(response, request);
  };
  const setup = await setUp(3, together, together);
  const machine = (name: string) =>
    setup.run([...line, '--results', `${name}.jsonl`], { env: { MAILER_STATE_DIR: name } });
  for (const outcome of await Promise.all([machine('one'), machine('two')])) {
    expect(outcome).toMatchObject({ exitCode: 0 });
  }
  expect(setup.service.requests.map((request) => emailsIn(request).length)).toEqual([3, 3]);
});

test('- is not the name of a file, and nothing is sent', async () => {
  const setup = await setUp(3);
  const outcome = await setup.run([...line, '--results', '-']);
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outcome.stderr).toContain('--results: - is not the name of a file');
  expect(setup.service.requests).toEqual([]);
});
