import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../../../src/lib/runs/bulk/journal/journal-file.ts';
import {
  down,
  impatient,
  line,
  runDirectory,
  sentTo,
  setUp,
  template,
} from '../../../support/batch-run.ts';
import { accept, refuseNamed } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf, fileIn, key } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';

const other = { env: { MAILER_API_KEY: 'us_other_1234567890' } };

/** Expects an error: nothing sent, and nothing reported as complete. */
async function expectRefused(setup: Connected): Promise<void> {
  const before = setup.service.requests.length;
  const outcome = await setup.run([...line, '--json'], other);
  expect(outcome.exitCode).toBe(2);
  const { message, hint } = errorOf(outcome);
  expect(message).toContain('was started with another API key');
  expect(message).toContain('Both keys may be of the same account.');
  expect(hint).toMatch(
    /If it is another account, email batch with --again=2 sends to everybody, also to those who have the email\.$/,
  );
  expect(setup.service.requests).toHaveLength(before);
}

describe('a run under another API key', () => {
  test('is not resumed', async () => {
    const setup = await setUp(150, accept, down, accept);
    await setup.run(impatient);
    await expectRefused(setup);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  });

  test('is not shown as complete', async () => {
    const setup = await setUp(3, accept);
    await setup.run(line);
    await expectRefused(setup);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  });

  test('from stdin is not resumed', async () => {
    const setup = await connected(accept, down, accept);
    const stdin = peopleCsv(150);
    const words = impatient.with(2, '-');
    await setup.run(words, { stdin });
    const { exitCode, stderr } = await setup.run(words, { ...other, stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('was started with another API key');
    expect(setup.service.requests).toHaveLength(2);
  });

  test('resumes when the first key was rejected, and nothing was sent', async () => {
    const setup = await setUp(150, { status: 403, body: { error: 'no' } }, accept, down);
    expect((await setup.run(line, other)).exitCode).toBe(3);
    expect((await setup.run(impatient)).exitCode).toBe(7);
    await expectRefused(setup);
  });

  test.each<[string, Answer]>([
    ['may have gone out', down],
    ['was refused by the service', refuseNamed('p1@example.org')],
  ])('does not resume when something %s', async (_, answer) => {
    const setup = await setUp(1, answer);
    await setup.run([...impatient, '--keep-going']);
    await expectRefused(setup);
  });

  test('resumes with --same-account, and from then on without', async () => {
    const setup = await setUp(250, accept, down, accept, down, accept);
    await setup.run(impatient);
    const broken = await setup.run([...impatient, '--same-account'], other);
    expect(broken.exitCode).toBe(7);
    expect(broken.stderr).toMatch(/\nmailer email batch (?!.*--same-account)/);
    expect(await setup.run(line, other)).toMatchObject({ exitCode: 0 });
    expect(new Set(sentTo(setup)).size).toBe(250);
    // The first key is known to be of this account, too.
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(setup.service.requests).toHaveLength(5);
  });

  test('no stored file contains the key, or the same value for two runs', async () => {
    const setup = await setUp(3, accept);
    await setup.run(line);
    const directory = runDirectory(setup);
    for (const name of readdirSync(directory)) {
      expect(readFileSync(join(directory, name), 'latin1')).not.toContain(key);
    }
    const digests = digestsIn(directory);
    expect(digests).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)));
    const second = await setUp(4, accept);
    await second.run(line);
    const all = [...digests, ...digestsIn(runDirectory(second))];
    expect(new Set(all).size).toBe(4);
  });
});

/** What the header of a run tells about its key. */
function digestsIn(directory: string): unknown[] {
  const journal = openJournal(join(directory, 'journal.sqlite'), { check: true });
  const { account, seal } = JSON.parse(journal.meta('run') ?? '');
  journal.close();
  return [...account.keys, seal];
}

test('the second key of a sandbox counts as a new key of a service', async () => {
  const world = createWorld();
  const { env } = await serveIn(world);
  fileIn(world, 'people.csv', peopleCsv(3));
  const send = (key: string, ...more: string[]) =>
    world.run(
      [
        'email',
        'batch',
        'people.csv',
        '--yes',
        '--from',
        'a@example.com',
        '--subject',
        'Hi',
        '--text',
        'Hi',
        ...more,
      ],
      { env: { ...env, MAILER_API_KEY: key } },
    );
  expect((await send('us_sandbox_local')).stderr).toContain('Accepted 3 of 3 emails.');
  const changed = await send('us_sandbox_second');
  expect(changed).toMatchObject({ exitCode: 2 });
  expect(changed.stderr).toContain('was started with another API key');
  const same = await send('us_sandbox_second', '--same-account');
  expect(same.stderr).toContain('This run is already complete; nothing was sent.');
  expect(await send('us_sandbox_test_other')).toMatchObject({ exitCode: 0 });
});

describe('a key that is missing', () => {
  const noKey = { env: { MAILER_API_KEY: '' } };

  test('is noticed before the rows are checked: 3', async () => {
    const setup = await connected();
    setup.file('people.csv', 'to,name\nnobody,Ana\n');
    const outcome = await setup.run(line, noKey);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toContain('There is no API key');
  });

  test('of stdin too', async () => {
    const setup = await connected();
    const { exitCode } = await setup.run(line.with(2, '-'), { ...noKey, stdin: 'to\nnobody\n' });
    expect(exitCode).toBe(3);
  });

  test.each([
    ['--dry-run', ['email', 'batch', 'people.csv', ...template, '--dry-run']],
    ['--preview', ['email', 'batch', 'people.csv', ...template, '--preview', '1']],
    ['run list', ['run', 'list']],
  ])('does not matter to %s', async (_, words) => {
    const setup = await setUp(3);
    expect(await setup.run(words, noKey)).toMatchObject({ exitCode: 0 });
  });
});
