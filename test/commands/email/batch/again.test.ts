import { describe, expect, test } from 'vitest';
import {
  down,
  everybody,
  impatient,
  keys,
  line,
  printedWords,
  repeat,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, emailsIn, refuseNamed } from '../../../support/batch-service.ts';
import { type Connected, errorOf } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import { startRecorder } from '../../../support/recorder.ts';

/** How many emails each recipient got. */
function times({ service }: Connected): number[] {
  const counts = new Map<string, number>();
  for (const { to } of service.requests.flatMap((request) => emailsIn(request))) {
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return [...new Set(counts.values())];
}

describe('--again=N', () => {
  test('starts the second sending once, however often it is repeated', async () => {
    const setup = await setUp(3, ...repeat(9, accept));
    await setup.run(line);
    for (let turn = 0; turn < 3; turn++) {
      const outcome = await setup.run([...line, '--again=2']);
      expect(outcome).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('em_p3@') });
    }
    expect(times(setup)).toEqual([2]);
    expect(new Set(keys(setup)).size).toBe(2);
  });

  test('resumes an incomplete one', async () => {
    const setup = await setUp(150, ...repeat(3, accept), down, accept);
    await setup.run(line);
    expect((await setup.run([...impatient, '--again=2'])).exitCode).toBe(7);
    expect(await setup.run([...line, '--again=2'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual([...everybody(150), ...everybody(150).slice(100)]);
    expect(keys(setup)[4]).toBe(keys(setup)[3]);
  });

  test('is at most one more than there are here', async () => {
    const setup = await setUp(3, ...repeat(3, accept));
    await setup.run(line);
    const outcome = await setup.run([...line, '--again=3', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).hint).toContain('--again=2');
    await setup.run([...line, '--again=2']);
    expect(await setup.run([...line, '--again=3'])).toMatchObject({ exitCode: 0 });
    expect(times(setup)).toEqual([3]);
  });

  test('may be any number if nothing is known of the run: on a new machine', async () => {
    const setup = await setUp(3, ...repeat(4, accept));
    expect(await setup.run([...line, '--again=7'])).toMatchObject({ exitCode: 0 });
    expect(await setup.run([...line, '--again=7'])).toMatchObject({ exitCode: 0 });
    expect(setup.service.requests).toHaveLength(1);
    // Without --again, the line means that run; --again without a number starts the next one.
    expect((await setup.run(line)).stderr).toContain('This run is already complete');
    expect(await setup.run([...line, '--again'])).toMatchObject({ exitCode: 0 });
    await setup.run([...line, '--again=8']);
    expect(times(setup)).toEqual([2]);
  });

  test('has the same keys on every machine, and others than the first sending', async () => {
    const setup = await setUp(3, ...repeat(4, accept));
    const on = (name: string) => ({ env: { MAILER_STATE_DIR: name } });
    await setup.run(line, on('one'));
    await setup.run([...line, '--again'], on('one'));
    await setup.run([...line, '--again=2'], on('two'));
    const [first, second, third] = keys(setup);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  test.each(['1', '0', 'x', '2x', '1000', '-2'])('=%s is no number of a sending', async (bad) => {
    const setup = await setUp(3);
    const outcome = await setup.run([...line, `--again=${bad}`, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('--again');
  });

  test('without a number takes no word from what follows', async () => {
    const setup = await setUp(3, ...repeat(2, accept));
    await setup.run(line);
    const [noun = '', verb = '', ...rest] = line;
    expect(await setup.run([noun, verb, '--again', ...rest])).toMatchObject({ exitCode: 0 });
    expect(times(setup)).toEqual([2]);
  });
});

describe('--again', () => {
  test('without a journal of the run is an error with what to do', async () => {
    const setup = await setUp(3, accept);
    const outcome = await setup.run([...line, '--again', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).hint).toMatch(/leave it out.*--again=2/);
    expect(setup.service.requests).toEqual([]);
  });

  test('after a run of the same file by another account, with another text, is the same error', async () => {
    const setup = await setUp(3, accept);
    await setup.run(line);
    const service = await startRecorder(accept);
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_other_1234567890' };
    const corrected = line.map((word) => (word === 'Hello' ? 'Hello, corrected' : word));
    const outcome = await setup.run([...corrected, '--again', '--json'], { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('this machine has no journal of an earlier run');
    expect(service.requests).toEqual([]);
  });

  test('with --resend-unknown does not say which: another sending would begin', async () => {
    const setup = await setUp(150, accept, down);
    await setup.run(impatient);
    setup.world.clock.advance(24 * 3_600_000);
    await setup.run(line);
    const outcome = await setup.run([...line, '--again', '--resend-unknown']);
    expect(outcome.exitCode).toBe(2);
    expect(setup.service.requests).toHaveLength(2);
  });

  test('every line that is printed to be repeated names the sending', async () => {
    const setup = await setUp(150, ...repeat(3, accept), down, accept);
    await setup.run(line);
    const { stderr } = await setup.run([...impatient, '--again']);
    const words = printedWords(stderr);
    expect(words).toContain('--again=2');
    expect(words).not.toContain('--again');
    for (let turn = 0; turn < 3; turn++) expect((await setup.run(words)).exitCode).toBe(0);
    expect(setup.service.requests).toHaveLength(5);
  });

  test('a plain line that resumes the second run names it, too', async () => {
    const setup = await setUp(150, ...repeat(3, accept), ...repeat(2, down));
    await setup.run(line);
    await setup.run([...impatient, '--again']);
    expect(printedWords((await setup.run(impatient)).stderr)).toContain('--again=2');
  });

  test('the hint of a complete run for sending once more has the next number', async () => {
    const setup = await setUp(3, ...repeat(2, accept));
    await setup.run(line);
    expect((await setup.run(line)).stderr).toMatch(/again: email batch with --again=2\n/);
    await setup.run([...line, '--again=2']);
    expect((await setup.run([...line, '--again=2'])).stderr).toMatch(
      /again: email batch with --again=3\n/,
    );
  });

  test('its unknown emails are sent again by a line that names it', async () => {
    const setup = await setUp(150, ...repeat(3, accept), down, accept);
    await setup.run(line);
    await setup.run([...impatient, '--again']);
    setup.world.clock.advance(24 * 3_600_000);
    const outcome = await setup.run(line);
    expect(outcome.exitCode).toBe(11);
    expect(outcome.stderr).toMatch(
      /To send them again: mailer run resume \w{8} --resend-unknown\n/,
    );
    const last = await setup.run([...line, '--again=2', '--resend-unknown']);
    expect(last).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(-50)).toEqual(everybody(150).slice(100));
  });

  test('a file that changed during an incomplete run is sent to everybody by a line for that', async () => {
    const setup = await setUp(150, accept, down, ...repeat(2, accept));
    await setup.run(impatient);
    setup.file('people.csv', peopleCsv(151));
    const { stderr } = await setup.run(line);
    expect(stderr).toMatch(
      /has an incomplete run.*\nHint: .*sends every email again.*: --again=2\n/s,
    );
    for (let turn = 0; turn < 2; turn++) {
      expect(await setup.run([...line, '--again=2'])).toMatchObject({ exitCode: 0 });
    }
    expect(sentTo(setup).slice(150)).toEqual(everybody(151));
  });
});

describe('--idempotency-key with --again', () => {
  const keyed = [...line, '--idempotency-key', 'news'];

  test('the second sending has keys of its own', async () => {
    const setup = await setUp(150, ...repeat(4, accept));
    await setup.run(keyed);
    await setup.run([...keyed, '--again']);
    await setup.run([...keyed, '--again=2']);
    expect(keys(setup)).toEqual(['news', 'news-2', 'news-s2', 'news-s2-2']);
  });

  test('on a new machine, too; and --dry-run shows them', async () => {
    const setup = await setUp(3, accept);
    const { stdout } = await setup.run([...keyed, '--again=2', '--dry-run', '--json']);
    await setup.run([...keyed, '--again=2']);
    expect(keys(setup)).toEqual(['news-s2']);
    expect(stdout).toContain('"news-s2"');
  });

  test.each([
    ['that is too long for several requests', 256, 150],
    ['that is too long for a request that is split', 250, 100],
    ['that is too long for any', 201, 3],
  ])('%s is refused before anything is sent', async (_, length, rows) => {
    const setup = await setUp(rows, ...repeat(9, refuseNamed('p7@example.org')));
    const words = [...line, '--idempotency-key', 'k'.repeat(length), '--json'];
    const outcome = await setup.run(words);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(`1 to 200 characters, not ${length}`);
    expect(setup.service.requests).toEqual([]);
  });

  test('the longest one serves a run to its end', async () => {
    const bad = refuseNamed('p7@example.org');
    const setup = await setUp(150, ...repeat(3, bad), bad, down, ...repeat(9, bad));
    const words = [...line, '--idempotency-key', 'k'.repeat(200)];
    await setup.run(words);
    expect((await setup.run([...words, '--again=2', '--retries', '0'])).exitCode).toBe(7);
    setup.world.clock.advance(24 * 3_600_000);
    const resend = [...words, '--again=2', '--resend-unknown'];
    expect(await setup.run(resend)).toMatchObject({ exitCode: 11 });
    expect(keys(setup).every((key) => String(key).length <= 256)).toBe(true);
    expect(Math.max(...keys(setup).map((key) => String(key).length))).toBeGreaterThan(215);
  });
});

describe('--again with --shard', () => {
  const shard = (text: string, ...more: readonly string[]) => [...line, '--shard', text, ...more];

  test('a complete whole run is sent once more in shards', async () => {
    const setup = await setUp(150, ...repeat(9, accept));
    await setup.run(line);
    for (const text of ['1/2', '2/2', '1/2']) {
      expect(await setup.run(shard(text, '--again=2'))).toMatchObject({ exitCode: 0 });
    }
    expect(times(setup)).toEqual([2]);
    // The run of the whole file is complete and stays complete.
    expect((await setup.run(line)).stderr).toContain('This run is already complete');
    expect(await setup.run([...line, '--again'])).toMatchObject({ exitCode: 0 });
    expect(times(setup)).toEqual([3]);
  });

  test('without a number each shard goes to the same run', async () => {
    const setup = await setUp(150, ...repeat(9, accept));
    await setup.run(line);
    for (const text of ['1/2', '2/2']) await setup.run(shard(text, '--again'));
    expect(times(setup)).toEqual([2]);
    expect(new Set(keys(setup)).size).toBe(4);
    for (const text of ['2/2', '1/2']) await setup.run(shard(text, '--again'));
    expect(times(setup)).toEqual([3]);
    expect(new Set(keys(setup)).size).toBe(6);
  });

  test('an incomplete run in shards is not sent as a whole', async () => {
    const setup = await setUp(250, ...repeat(3, accept), accept, down, ...repeat(9, accept));
    await setup.run(line);
    await setup.run([...shard('1/2', '--again'), '--retries', '0']);
    for (const words of [[...line, '--again'], [...line, '--again=2'], shard('1/3', '--again')]) {
      const { exitCode, stderr } = await setup.run(words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('was started with --shard 1/2');
    }
  });

  test('a shard without a journal here is not sent again', async () => {
    const setup = await setUp(150, ...repeat(2, accept));
    await setup.run(shard('1/2'));
    const { exitCode, stderr } = await setup.run(shard('2/2', '--again'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--again=2');
    expect(setup.service.requests).toHaveLength(1);
  });
});
