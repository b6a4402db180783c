import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../../../src/lib/runs/bulk/journal/journal-file.ts';
import type { MailedSketch } from '../../../../src/lib/runs/bulk/journal/mailed-sketch.ts';
import { requireHeader, writeHeader } from '../../../../src/lib/runs/bulk/journal/run-header.ts';
import {
  down,
  everybody,
  impatient,
  keys,
  line,
  posts,
  printedWords,
  repeat,
  runDirectories,
  runDirectory,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';

test('a file that was sent before is reported when it is sent to everybody again', async () => {
  const setup = await setUp(3, ...repeat(4, accept));
  await setup.run(line);
  const same = await setup.run(line);
  expect(same.stderr).not.toContain('was sent before');
  setup.world.clock.advance(60_000);
  setup.file('people.csv', peopleCsv(13));
  const changed = await setup.run(line);
  expect(changed).toMatchObject({ exitCode: 0 });
  expect(changed.stderr).toContain(
    'people.csv was sent before, at 2026-01-15T10:00:00.000Z: 3 of 3 emails are accepted. This new run sends every email again.',
  );
  const flagged = await setup.run([...line, '--unique']);
  expect(flagged.stderr).toContain('at 2026-01-15T10:01:00.000Z: 13 of 13 emails');
  expect((await setup.run([...line, '--unique', '--again=2'])).stderr).not.toContain('before');
  setup.file('others.csv', 'to\nx@example.org\n');
  const others = line.map((word) => (word === 'people.csv' ? 'others.csv' : word));
  expect((await setup.run(others)).stderr).not.toContain('before');
});

describe('a text that was corrected after the file was sent', () => {
  const corrected = line.map((word) => (word === 'Hello' ? 'Hello, without the typo' : word));
  const withSubject = (words: readonly string[], subject: string) =>
    words.map((word, at) => (words[at - 1] === '--subject' ? subject : word));

  test.each([
    ['--again=2', 0],
    ['--again', 0],
    ['', 24 * 60 * 60_000],
  ])('stops with 5, and is sent with %s after %d ms', async (flag, later) => {
    const setup = await setUp(3, ...repeat(2, accept));
    await setup.run(line);
    setup.world.clock.advance(60_000);
    const outcome = await setup.run([...corrected, '--json']);
    expect(outcome.exitCode).toBe(5);
    const [name = ''] = runDirectories(setup);
    const short = basename(name).slice(0, 8);
    expect(errorOf(outcome)).toMatchObject({
      code: 'conflict',
      message: `people.csv was sent at 2026-01-15T10:00:00.000Z with the same subject but another text or other flags: run ${short}, 3 of 3 emails are accepted.`,
      hint: `Nothing was sent. To look at that run: mailer run get ${short}. To start a new run that sends every email again: --again=2`,
    });
    expect(posts(setup)).toHaveLength(1);
    setup.world.clock.advance(later);
    const sent = await setup.run([...corrected, ...flag.split(' ').filter(Boolean)]);
    expect({ ...sent }).toMatchObject({ exitCode: 0 });
    expect(posts(setup)).toHaveLength(2);
  });

  test('but not after a trial, whose emails went to the sender', async () => {
    const ids = (letters: string) => ({
      body: { data: [...letters].map((emailId) => ({ emailId })) },
    });
    const setup = await setUp(3, ids('abc'), ids('def'));
    const env = { MAILER_REDIRECT_TO: 'me@example.com' };
    expect((await setup.run(line, { env })).exitCode).toBe(0);
    expect((await setup.run(corrected, { env })).exitCode).toBe(0);
  });

  test('also if another run of the file came between', async () => {
    const setup = await setUp(3, ...repeat(2, accept));
    await setup.run(line);
    setup.world.clock.advance(60_000);
    expect((await setup.run(withSubject(line, 'Other'))).exitCode).toBe(0);
    expect((await setup.run(corrected)).exitCode).toBe(5);
  });

  const home = ['--map', 'to=home', '--ignore-column', 'work'];
  test.each([
    ['another subject', withSubject(corrected, 'Corrected'), home],
    ['other rows', corrected, home],
    ['other recipients', corrected, ['--map', 'to=work', '--ignore-column', 'home']],
  ])('with %s, it is sent with a warning', async (what, words, columns) => {
    const setup = await setUp(0, ...repeat(2, accept));
    const people = 'home,work,name\nana@example.org,ana@example.com,Ana\n';
    setup.file('people.csv', people);
    await setup.run([...line, ...home]);
    if (what === 'other rows') setup.file('people.csv', people.replaceAll('ana', 'eva'));
    const { exitCode, stderr } = await setup.run([...words, ...columns]);
    expect({ exitCode, stderr }, stderr).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('people.csv was sent before, at ');
  });
});

const rows = (...names: readonly string[]) =>
  `to,name\n${names.map((name, at) => `p${at}@example.org,${name}\n`).join('')}`;

describe('a file of which only a flag differs', () => {
  test.each([
    ['--from', 'news@example.com'],
    ['--reply-to', 'c@d.example'],
    ['--header', 'X-A: b'],
    ['--scheduled-at', '2026-01-16T08:00:00Z'],
  ])('stops with 5 for %s', async (flag, value) => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', rows('Ana', 'Ben', 'Cy', 'Di', 'Evi', 'Flo'));
    await setup.run(line);
    const at = line.indexOf(flag);
    const words = at < 0 ? line : [...line.slice(0, at), ...line.slice(at + 2)];
    expect((await setup.run([...words, flag, value])).exitCode).toBe(5);
  });

  test('is sent once for one approved digest, whatever else the file has', async () => {
    const setup = await setUp(0, ...repeat(3, accept));
    const people = rows('Ana', 'Ben', 'Cy', 'Di', 'Evi', 'Flo');
    setup.file('people.csv', people);
    await setup.run(line);
    const again = [...line, '--again=2'];
    const { digest } = JSON.parse((await setup.run([...again, '--dry-run', '--json'])).stdout);
    expect((await setup.run([...again, '--expect', digest])).exitCode).toBe(0);
    setup.file('people.csv', `${people}\n`);
    await setup.run(line);
    const late = await setup.run([...again, '--expect', digest]);
    expect(late).toMatchObject({ exitCode: 5 });
    expect(late.stderr).toContain('was sent already');
    expect(posts(setup)).toHaveLength(2);
  });
});

test('a run of a newer mailer, which cannot be compared, is named', async () => {
  const setup = await setUp(0, ...repeat(2, accept));
  setup.file('people.csv', rows('Ana', 'Ben', 'Cy', 'Di', 'Evi', 'Flo'));
  await setup.run(line);
  const [name = ''] = runDirectories(setup);
  const database = new DatabaseSync(join(runDirectory(setup), 'journal.sqlite'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  setup.file('others.csv', rows('Anna', 'Ben', 'Cy', 'Di', 'Evi', 'Flo'));
  const { exitCode, stderr } = await setup.run(line.with(2, 'others.csv'));
  expect(stderr).toContain(`Run ${basename(name).slice(0, 8)} was written by a newer mailer`);
  expect(exitCode).toBe(0);
});

describe('a file that was corrected after it was sent', () => {
  test('stops with 5 beside a run whose journal has only the people', async () => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', rows('Ana', 'Ben', 'Cy', 'Di', 'Evi', 'Flo'));
    await setup.run(line);
    const journal = openJournal(join(runDirectory(setup), 'journal.sqlite'), { check: false });
    const header = requireHeader(journal, '');
    // As the first programs wrote it.
    const mailed = header.mailed?.people as unknown as MailedSketch;
    writeHeader(journal, { ...header, mailed });
    journal.close();
    setup.file('people.csv', rows('Anna', 'Ben', 'Cy', 'Di', 'Evi', 'Flo'));
    expect((await setup.run(line)).exitCode).toBe(5);
  });

  /** The command line with another subject and text. */
  const about = (subject: string, text: string) =>
    [...line].map(
      (word, at) => ({ '--subject': subject, '--text': text })[`${line[at - 1]}`] ?? word,
    );

  test.each([
    ['a cell is another', rows('Ana', 'Ben', 'Cy', 'Di')],
    ['rows were added', rows('Ana', 'Bem', 'Cy', 'Di', 'Eva', 'Fay')],
    ['a row was left out', rows('Ana', 'Bem', 'Cy')],
    ['it has some of the rows', rows('Ana')],
    ['it has many more rows', rows('Ana', 'Bem', 'Cy', 'Di', ...'efghijkl')],
  ])('stops with 5 where many rows are the same, unless --again is given: %s', async (_, file) => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', rows('Ana', 'Bem', 'Cy', 'Di'));
    expect((await setup.run(line)).exitCode).toBe(0);
    setup.file('people.csv', file);
    const outcome = await setup.run([...line, '--json']);
    expect(outcome.exitCode).toBe(5);
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringMatching(
        /^(The|\d+% of the) rows of people\.csv were sent at 2026-\S+ with the same subject: run .* 4 of 4 emails are accepted\.$/,
      ),
      hint: expect.stringContaining('--again=2'),
    });
    expect(posts(setup)).toHaveLength(1);
    expect((await setup.run([...line, '--again=2'])).exitCode).toBe(0);
  });

  test.each([
    [5, ['Ana', 'Bem', 'Cy', 'Di', 'Evi']],
    // An alert, or an order, may be one of several on a day.
    [0, ['Ana', 'Bem', 'Cy']],
  ])('ends with %i where only the subject is the same, for %j', async (exit, names) => {
    const setup = await setUp(0, ...repeat(2, accept));
    const news = about('News', 'For {{ name }}');
    setup.file('people.csv', rows(...names));
    expect((await setup.run(news)).exitCode).toBe(0);
    setup.file('people.csv', rows(...names.map((name) => `${name}a`)));
    const { exitCode, stderr } = await setup.run(news);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: exit });
  });

  test.each([
    ['a column that is not in it is another', 'to,name,note\np@example.org,Ana,b\n', 'name'],
    ['a column has another name, also in the text', 'to,who,note\np@example.org,Ana,a\n', 'who'],
  ])(
    'stops with 5 for one person, too, where the email is the same: %s',
    async (_, file, column) => {
      const setup = await setUp(0, ...repeat(2, accept));
      setup.file('people.csv', 'to,name,note\np@example.org,Ana,a\n');
      expect((await setup.run(about('News', 'For {{ name }}'))).exitCode).toBe(0);
      setup.file('people.csv', file);
      const { exitCode, stderr } = await setup.run(about('News', `For {{ ${column} }}`));
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
      expect(posts(setup)).toHaveLength(1);
    },
  );

  test('stops under another name, too, while the first run is incomplete', async () => {
    const setup = await setUp(150, accept, down, ...repeat(2, accept));
    expect((await setup.run(impatient)).exitCode).toBe(7);
    setup.file('copy.csv', peopleCsv(151));
    const copy = line.map((word) => (word === 'people.csv' ? 'copy.csv' : word));
    expect((await setup.run(copy)).exitCode).toBe(5);
  });

  test('is sent after a trial that had a few of its rows', async () => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('trial.csv', rows('Ana'));
    const trial = line.map((word) => (word === 'people.csv' ? 'trial.csv' : word));
    expect((await setup.run(trial)).exitCode).toBe(0);
    setup.file('people.csv', rows('Ana', 'Ben', 'Cy', 'Di', 'Eva'));
    expect((await setup.run(line)).exitCode).toBe(0);
  });

  describe('of whom several runs of the day have mailed a part', () => {
    /** A CSV file of the people from one number to another. */
    const people = (first: number, last: number) => {
      const [header, ...rows] = peopleCsv(last).split('\n');
      return [header, ...rows.slice(first - 1)].join('\n');
    };
    const file = (name: string) => line.with(2, name);

    async function sent(...files: readonly (readonly [string, number, number])[]) {
      const setup = await setUp(0, ...repeat(3, accept));
      for (const [again, first, last] of files) {
        setup.file(`${first}.csv`, people(first, last));
        expect(
          (await setup.run([...file(`${first}.csv`), ...again.split(' ')].filter(Boolean)))
            .exitCode,
        ).toBe(0);
        setup.world.clock.advance(60_000);
      }
      return setup;
    }

    test.each([
      [45, 5],
      [90, 0],
    ])('their parts add up: %s rows end with %i', async (rows, exit) => {
      const setup = await sent(['', 1, 10], ['', 11, 20]);
      setup.file('all.csv', people(1, rows));
      const outcome = await setup.run([...file('all.csv'), '--json']);
      expect(outcome).toMatchObject({ exitCode: exit });
      if (exit === 0) return;
      expect(errorOf(outcome)).toMatchObject({
        message: expect.stringMatching(
          /^44% of the rows of all\.csv were sent with the same subject by 2 runs within a day, the last one at 2026-\S+: run \w+, 10 of 10 emails are accepted\.$/,
        ),
        hint: expect.stringContaining('--again=2'),
      });
      expect(posts(setup)).toHaveLength(2);
    });

    test('not those of the day before', async () => {
      const setup = await sent(['', 1, 10], ['', 11, 20]);
      setup.world.clock.advance(24 * 60 * 60_000);
      setup.file('all.csv', people(1, 45));
      expect((await setup.run(file('all.csv'))).exitCode).toBe(0);
    });

    test('each person once: a few may get several trials', async () => {
      const setup = await sent(['', 1, 10], ['--again=2', 1, 10]);
      setup.file('all.csv', people(1, 45));
      expect((await setup.run(file('all.csv'))).exitCode).toBe(0);
    });
  });

  test('is sent with a warning where most people are others: jobs write the next file at the same place', async () => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', rows('Ana', 'Bem', 'Cy', 'Di'));
    expect((await setup.run(line)).exitCode).toBe(0);
    setup.file('people.csv', rows('Ann', 'Ben', 'Cyd', 'Dia').replaceAll('org', 'net'));
    const { exitCode, stderr } = await setup.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('people.csv was sent before, at ');
  });

  test('is sent with a key of its own: a job may mail the same people the same subject twice a day', async () => {
    const setup = await setUp(3, ...repeat(2, accept));
    expect((await setup.run([...line, '--idempotency-key', 'morning'])).exitCode).toBe(0);
    setup.file('people.csv', peopleCsv(4));
    expect((await setup.run([...line, '--idempotency-key', 'noon'])).exitCode).toBe(0);
  });

  test('of a thousand rows is recognised by a sample', async () => {
    const setup = await setUp(1000, ...repeat(80, accept));
    expect((await setup.run(line)).exitCode).toBe(0);
    const sent = posts(setup).length;
    setup.file('people.csv', `${peopleCsv(1000)}new@example.org,New\n`);
    expect((await setup.run(line)).exitCode).toBe(5);
    setup.file('people.csv', peopleCsv(6000));
    expect(posts(setup)).toHaveLength(sent);
    expect((await setup.run(line)).exitCode).toBe(0);
  });

  test('is no repeat for a job that runs each day at the same time, a little early', async () => {
    const setup = await setUp(4, ...repeat(2, accept));
    await setup.run(line);
    setup.world.clock.advance(24 * 60 * 60_000 - 5000);
    setup.file('people.csv', peopleCsv(5));
    expect((await setup.run(line)).exitCode).toBe(0);
  });
});

describe('the same rows in a file of another form', () => {
  const csv = 'to,name\nana@example.org,Ana\nben@example.org,Ben\n';
  const other = line.map((word) => (word === 'people.csv' ? 'copy.csv' : word));
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ['line breaks of Windows', csv.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${csv}`],
    ['another order of rows', 'to,name\nben@example.org,Ben\nana@example.org,Ana\n'],
    ['another order of columns', 'name,to\nAna,ana@example.org\nBen,ben@example.org\n'],
    ['another delimiter', csv.replaceAll(',', ';')],
    ['gzip', gzipSync(csv)],
  ];

  test.each(forms)('%s: a conflict within a day, unless --again is given', async (_, form) => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', csv);
    expect((await setup.run(line)).exitCode).toBe(0);
    setup.file('copy.csv', form);
    const outcome = await setup.run([...other, '--json']);
    expect(outcome.exitCode).toBe(5);
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringMatching(
        /^The rows of copy\.csv were sent at 2026-\S+ with the same subject: run /,
      ),
      hint: expect.stringContaining('--again=2'),
    });
    expect(posts(setup)).toHaveLength(1);
    expect((await setup.run([...other, '--again=2'])).exitCode).toBe(0);
    expect(posts(setup)).toHaveLength(2);
  });

  test('the file itself, and from stdin; a day later, it is sent', async () => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', csv);
    await setup.run(line);
    const stdin = csv.replaceAll('\n', '\r\n');
    const piped = line.map((word) => (word === 'people.csv' ? '-' : word));
    expect(await setup.run(piped, { stdin })).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('The rows of this input were sent at '),
    });
    setup.file('people.csv', stdin);
    expect((await setup.run(line)).exitCode).toBe(5);
    setup.world.clock.advance(24 * 60 * 60_000);
    expect((await setup.run(line)).exitCode).toBe(0);
  });

  test.each([
    ['other people', csv.replaceAll('example.org', 'example.net'), []],
    ['another subject', `${csv}\n`, ['--subject', 'Later']],
  ])('%s: it is sent', async (_, form, more) => {
    const setup = await setUp(0, ...repeat(2, accept));
    setup.file('people.csv', csv);
    await setup.run(line);
    setup.file('copy.csv', form);
    const at = other.indexOf('--subject');
    const words = more.length === 0 ? other : [...other.slice(0, at), ...other.slice(at + 2)];
    const { stderr } = await setup.run([...words, ...more]);
    expect(posts(setup), stderr).toHaveLength(2);
  });
});

describe('a run is another one', () => {
  test.each<[string, readonly string[], string]>([
    ['in another time zone', ['--timezone', 'Asia/Tokyo'], 'timeZone'],
    ['under a key by hand', ['--idempotency-key', 'news'], 'key'],
    ['with --unique', ['--unique'], 'unique'],
    ['with --skip-invalid', ['--skip-invalid'], 'skipInvalid'],
    ['with other addresses', ['--cc', 'a@b.example', '--reply-to', 'c@d.example'], 'replyTo, cc'],
  ])('%s: it is sent when the first is complete, and not before', async (_, flags, changed) => {
    const whole = await setUp(3, ...repeat(2, accept));
    await whole.run(line);
    expect(await whole.run([...line, ...flags])).toMatchObject({ exitCode: 0 });
    expect(new Set(keys(whole)).size).toBe(2);
    const half = await setUp(150, accept, down);
    await half.run(impatient);
    const { exitCode, stderr } = await half.run([...line, ...flags]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Changed since, by a flag, a setting or a file: ${changed}.`);
  });
});

describe('a run is the same one', () => {
  test('when its file has another name or place', async () => {
    const setup = await setUp(150, accept, down, accept);
    await setup.run(impatient);
    setup.file('elsewhere/copy.csv', peopleCsv(150));
    expect(await setup.run(line.with(2, 'elsewhere/copy.csv'))).toMatchObject({ exitCode: 0 });
    expect(keys(setup)[2]).toBe(keys(setup)[1]);
  });

  test('if the same content has another path, other flags are noticed, too', async () => {
    const setup = await setUp(150, accept, down);
    await setup.run(impatient);
    setup.file('copy.csv', peopleCsv(150));
    const { exitCode, stderr } = await setup.run([...line.with(2, 'copy.csv'), '--unique']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('copy.csv has an incomplete run: 100 of 150 emails');
  });
});

describe('--scheduled-at', () => {
  const at = ['--scheduled-at', '2026-01-15T11:00:00Z'];

  async function halfSent(): Promise<Connected> {
    const setup = await setUp(250, accept, down, ...repeat(12, accept));
    expect((await setup.run([...impatient, ...at])).exitCode).toBe(7);
    setup.world.clock.advance(2 * 3_600_000);
    return setup;
  }

  test.each([
    ['as it was', []],
    ['with --allow-past', ['--allow-past']],
  ])('that has passed does not keep a run from going on: %s', async (_, flags) => {
    const setup = await halfSent();
    expect(await setup.run([...line, ...at, ...flags])).toMatchObject({ exitCode: 0 });
    const [, begun] = posts(setup);
    expect(posts(setup).filter(({ body }) => body === begun?.body)).toHaveLength(2);
    expect(new Set(sentTo(setup)).size).toBe(250);
  });

  test('nor one that comes from stdin', async () => {
    const setup = await connected(accept, down, ...repeat(12, accept));
    const stdin = peopleCsv(250);
    const words = [...impatient.with(2, '-'), ...at];
    await setup.run(words, { stdin });
    setup.world.clock.advance(2 * 3_600_000);
    expect(await setup.run(words, { stdin })).toMatchObject({ exitCode: 0 });
    expect(new Set(sentTo(setup)).size).toBe(250);
  });

  test('of the rows of stdin neither', async () => {
    const setup = await connected(down, ...repeat(12, accept));
    const stdin = 'to,name,scheduledAt\na@b.example,Ana,2026-01-15T11:00:00Z\n';
    await setup.run(impatient.with(2, '-'), { stdin });
    setup.world.clock.advance(2 * 3_600_000);
    expect(await setup.run(line.with(2, '-'), { stdin })).toMatchObject({ exitCode: 0 });
    const [first, second] = posts(setup);
    expect(second?.body).toBe(first?.body);
  });

  test.each(['people.csv', '-'])('in the past does not begin a run: %s', async (input) => {
    const setup = await setUp(3, accept);
    setup.world.clock.advance(2 * 3_600_000);
    const stdin = { stdin: peopleCsv(3) };
    const outcome = await setup.run([...line.with(2, input), ...at, '--json'], stdin);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('is in the past');
    expect(runDirectories(setup)).toEqual([]);
    const allowed = [...line.with(2, input), ...at, '--allow-past'];
    expect(await setup.run(allowed, stdin)).toMatchObject({ exitCode: 0 });
  });

  test('that is no time is refused for a preview, too', async () => {
    const setup = await setUp(3);
    const { exitCode } = await setup.run([...line, '--preview', '1', '--scheduled-at', 'x']);
    expect(exitCode).toBe(2);
  });
});

describe('what needs a yes', () => {
  const asking = line.filter((word) => word !== '--yes');

  test('resuming a run does, and reports how much is left', async () => {
    const setup = await setUp(150, accept, down, accept);
    await setup.run(impatient);
    const { exitCode, stderr } = await setup.run(asking);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Resume this run? 50 of 150 emails are left.');
    expect(setup.service.requests).toHaveLength(2);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  });

  test('--resend-unknown does, with their number; without it nothing is done', async () => {
    const setup = await setUp(150, accept, down, accept);
    await setup.run(impatient);
    setup.world.clock.advance(24 * 3_600_000);
    await setup.run(line);
    const { exitCode, stderr } = await setup.run([...asking, '--resend-unknown']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/50 emails with an unknown outcome/);
    expect((await setup.run(line)).exitCode).toBe(11);
    expect(setup.service.requests).toHaveLength(2);
    expect(await setup.run([...line, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual(everybody(150).slice(100));
  });

  test('a complete run does not, with --resend-unknown neither', async () => {
    const setup = await setUp(3, accept);
    await setup.run(line);
    expect(await setup.run([...asking, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
  });
});

test('the line that resumes after --resend-unknown does not have it again', async () => {
  const setup = await setUp(150, accept, ...repeat(2, down), accept);
  await setup.run(impatient);
  setup.world.clock.advance(24 * 3_600_000);
  await setup.run(line);
  const { stderr } = await setup.run([...impatient, '--resend-unknown']);
  expect(stderr).toContain('without sending anything twice');
  const words = printedWords(stderr);
  expect(words).not.toContain('--resend-unknown');
  setup.world.clock.advance(24 * 3_600_000);
  expect((await setup.run(words)).exitCode).toBe(11);
  expect(setup.service.requests).toHaveLength(3);
});

test('--wait follows no more than 1,000 emails of a run that is there already, either', async () => {
  const setup = await setUp(1001, ...repeat(11, accept));
  await setup.run(line);
  const outcome = await setup.run([...line, '--wait', '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('--wait follows up to 1,000 emails');
  expect(setup.service.requests).toHaveLength(11);
});

describe('--shard', () => {
  test('a run that was started undivided is not divided', async () => {
    const setup = await setUp(150, accept, down, accept);
    await setup.run(impatient);
    const { exitCode, stderr } = await setup.run([...line, '--shard', '1/2']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('was started without --shard');
    expect(stderr).toMatch(/To resume it without --shard: mailer run resume [0-9a-f]{8}\n$/);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect((await setup.run([...line, '--shard', '2/2'])).exitCode).toBe(2);
    expect(setup.service.requests).toHaveLength(3);
  });

  test('a shard with nothing in it is no run under --dry-run', async () => {
    const setup = await setUp(150);
    const outcome = await setup.run([...line, '--shard', '5/8', '--dry-run']);
    expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: 'There is nothing to send.\n' });
    expect(runDirectories(setup)).toEqual([]);
  });

  test('a shard is sent while another one is incomplete', async () => {
    const setup = await setUp(250, accept, down, ...repeat(2, accept));
    expect((await setup.run([...impatient, '--shard', '1/2'])).exitCode).toBe(7);
    expect(await setup.run([...line, '--shard', '2/2'])).toMatchObject({ exitCode: 0 });
    expect(await setup.run([...line, '--shard', '1/2'])).toMatchObject({ exitCode: 0 });
    expect(new Set(sentTo(setup)).size).toBe(250);
  });

  test('invalid rows are reported by the first shard alone', async () => {
    const setup = await connected(...repeat(2, accept));
    setup.file('people.csv', `${peopleCsv(150)}nobody,X\n`);
    for (const shard of ['1', '2']) {
      const words = ['--skip-invalid', '--shard', `${shard}/2`, '--results', `${shard}.jsonl`];
      await setup.run([...line, ...words]);
    }
    const told = ['1', '2'].map((shard) => {
      const results = readFileSync(join(setup.world.home, `${shard}.jsonl`), 'utf8');
      return results.split('\n').filter((one) => one.includes('"invalid"')).length;
    });
    expect(told).toEqual([1, 0]);
  });
});

describe('a run that cannot be read', () => {
  async function damaged(): Promise<Connected> {
    const setup = await setUp(250, accept, down, ...repeat(9, accept));
    await setup.run(impatient);
    truncateSync(join(runDirectory(setup), 'journal.sqlite'), 5000);
    writeFileSync(join(runDirectory(setup), 'journal.sqlite-wal'), '');
    return setup;
  }

  /** Expects an error that names the directory, and nothing sent. */
  async function expectRefused(setup: Connected, words: readonly string[]): Promise<void> {
    const outcome = await setup.run([...words, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(runDirectory(setup));
    expect(setup.service.requests).toHaveLength(2);
  }

  test('prevents a new run of the same file after it has changed', async () => {
    const setup = await damaged();
    setup.file('people.csv', peopleCsv(251));
    await expectRefused(setup, line);
  });

  test('and when the flags are others, or the name', async () => {
    const setup = await damaged();
    await expectRefused(setup, [...line, '--unique']);
    setup.file('copy.csv', peopleCsv(250));
    await expectRefused(setup, [...line.with(2, 'copy.csv'), '--unique']);
  });

  test('does not keep another file, or another account, from being sent', async () => {
    const setup = await damaged();
    setup.file('others.csv', 'to,name\nnew@example.org,New\n');
    expect(await setup.run(line.with(2, 'others.csv'))).toMatchObject({ exitCode: 0 });
    const other = await connected(...repeat(3, accept));
    const there = [...line, '--base-url', other.service.baseUrl, '--unique'];
    const env = { MAILER_API_KEY: 'us_other_1234567890' };
    expect(await setup.run(there, { env })).toMatchObject({ exitCode: 0 });
  });

  test('keeps everything if the run cannot be identified any more', async () => {
    const setup = await damaged();
    const about = join(runDirectory(setup), 'run.json');
    writeFileSync(about, readFileSync(about).subarray(0, 20));
    setup.file('others.csv', 'to,name\nnew@example.org,New\n');
    await expectRefused(setup, line.with(2, 'others.csv'));
    rmSync(about);
    await expectRefused(setup, line.with(2, 'others.csv'));
  });

  test('does not matter to --again=N, which starts all the same', async () => {
    const setup = await damaged();
    setup.file('people.csv', peopleCsv(251));
    expect(await setup.run([...line, '--again=2'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(200)).toEqual(everybody(251));
  });
});

test('other files beside the runs do not matter', async () => {
  const setup = await setUp(3, ...repeat(2, accept));
  await setup.run(line);
  writeFileSync(join(runDirectory(setup), '..', '.DS_Store'), 'x');
  setup.file('people.csv', peopleCsv(13));
  expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  const { stdout } = await setup.run('run list --json');
  expect(JSON.parse(stdout)).toHaveLength(2);
  expect(setup.service.requests.map((request) => emailsIn(request).length)).toEqual([3, 13]);
});
