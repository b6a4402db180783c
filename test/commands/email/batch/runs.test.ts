import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { journalVersion } from '../../../../src/lib/runs/bulk/journal/journal-schema.ts';
import {
  down,
  everybody,
  keys,
  line,
  onlyRun,
  posts,
  repeat,
  runDirectory,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, emailsIn, refuseNamed, refuseUnnamed } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf, failureOf } from '../../../support/connected.ts';
import { patience } from '../../../support/patience.ts';
import { peopleCsv } from '../../../support/people.ts';

test('accepted emails are soon recorded, though another request has no response yet', async () => {
  let answerSecond = () => {};
  const slow: typeof accept = (response, request) => {
    answerSecond = () => accept(response, request);
  };
  const setup = await setUp(300, accept, slow, accept);
  const done = setup.run(line.with(-1, '2'));
  const accepted = async () => {
    const { stdout } = await setup.run('run list --json');
    return JSON.parse(stdout)[0]?.accepted;
  };
  await expect.poll(accepted, { timeout: patience }).toBe(200);
  answerSecond();
  expect(await done).toMatchObject({ exitCode: 0 });
  expect(await accepted()).toBe(300);
});

describe('a run that broke off', () => {
  test('resumes where it stopped, and repeats requests without a response under the same key', async () => {
    const setup = await setUp(250, accept, down, ...repeat(3, accept));
    const broken = await setup.run([...line, '--retries', '0']);
    expect(broken.exitCode).toBe(7);
    expect(broken.stderr).toContain(
      '100 of 250 emails are accepted so far, 100 have no response yet. To resume',
    );
    const done = await setup.run(line);
    expect(done).toMatchObject({ exitCode: 0, stderr: 'Accepted 250 of 250 emails.\n' });
    expect(sentTo(setup).slice(200)).toEqual(everybody(250).slice(100));
    const [first, second, third, fourth] = keys(setup);
    expect(third).toBe(second);
    expect(new Set([first, second, fourth]).size).toBe(3);
    expect(setup.service.requests[2]?.body).toBe(setup.service.requests[1]?.body);
  });

  test('is not started again if its file has changed, and reports what has', async () => {
    const setup = await setUp(150, accept, down);
    await setup.run([...line, '--retries', '0']);
    setup.file('people.csv', peopleCsv(151));
    const { exitCode, stderr } = await setup.run(line);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^Error: people.csv has an incomplete run: 100 of 150 emails are accepted, 50 have no response yet. The file has changed since. It had 3692 bytes and has 3718 now\. It was modified .*\nHint: .*--again/,
    );
    expect(setup.service.requests).toHaveLength(2);
  });

  test('is not started again if flags or settings differ', async () => {
    const setup = await setUp(150, accept, down, ...repeat(2, accept));
    await setup.run([...line, '--retries', '0']);
    const other = line.map((word) => (word === 'Hello' ? 'Hullo' : word));
    const { exitCode, stderr } = await setup.run(other);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Changed since, by a flag, a setting or a file: text.');
    await setup.run('config set reply-to set@example.com');
    expect((await setup.run(line)).exitCode).toBe(2);
    expect(setup.service.requests).toHaveLength(2);
    expect(await setup.run([...other, '--again=2'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual(everybody(150));
  });

  test('keeps times, though they have passed and the time zone is another', async () => {
    const setup = await connected(down, ...repeat(12, accept));
    const scheduledAt = '2026-01-15T12:00';
    setup.file('rows.json', [
      { to: 'a@b.example', from: 'c@d.example', subject: 'S', text: 'T', scheduledAt },
    ]);
    await setup.run('email batch rows.json --yes --retries 0');
    await setup.run('config set timezone Asia/Tokyo');
    setup.world.clock.advance(3 * 3_600_000);
    expect(await setup.run('email batch rows.json --yes')).toMatchObject({ exitCode: 0 });
    const [first, second] = posts(setup);
    expect(second?.body).toBe(first?.body);
    expect(first?.body).toContain('2026-01-15T12:00:00Z');
  });

  test('from stdin is resumed by the same input', async () => {
    const setup = await connected(accept, down, ...repeat(2, accept));
    const stdin = peopleCsv(150);
    const words = line.map((word) => (word === 'people.csv' ? '-' : word));
    await setup.run([...words, '--retries', '0'], { stdin });
    expect(await setup.run(words, { stdin })).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup)).toHaveLength(100 + 50 + 50);
  });

  test('resumes after a rejected key, as nothing was sent', async () => {
    const setup = await setUp(150, accept, { status: 401, body: { error: 'no' } }, accept);
    expect((await setup.run(line)).exitCode).toBe(3);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual(everybody(150).slice(100));
  });
});

describe('a run that is complete', () => {
  test('is not sent again: it reports that, and shows the same results', async () => {
    const setup = await setUp(3, accept);
    const first = await setup.run(line);
    const second = await setup.run(line);
    expect(second.exitCode).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    expect(second.stderr).toMatch(
      /^This run is already complete; nothing was sent\. .*--again=2\n/,
    );
    expect(setup.service.requests).toHaveLength(1);
  });

  test('--again sends it all under new keys; interrupted, it resumes that', async () => {
    const setup = await setUp(150, ...repeat(2, accept), accept, down, accept);
    await setup.run(line);
    const broken = await setup.run([...line, '--again', '--retries', '0']);
    expect(broken.exitCode).toBe(7);
    expect(await setup.run([...line, '--again'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual([...everybody(150), ...everybody(150).slice(100)]);
    const [one, , three, four, five] = keys(setup);
    expect(three).not.toBe(one);
    expect(five).toBe(four);
  });

  test('a file with other rows is another run', async () => {
    const setup = await setUp(3, ...repeat(2, accept));
    await setup.run(line);
    setup.file('people.csv', 'to,name\nnew@example.org,New\n');
    await setup.run(line);
    expect(sentTo(setup)).toEqual([...everybody(3), 'new@example.org']);
  });
});

describe('emails without an answer for 24 hours', () => {
  async function abandoned(): Promise<Connected> {
    const setup = await setUp(150, accept, down, ...repeat(2, accept));
    await setup.run([...line, '--retries', '0']);
    setup.world.clock.advance(24 * 3_600_000);
    return setup;
  }

  test('are not repeated, but listed as unknown: 11', async () => {
    const setup = await abandoned();
    const { exitCode, stdout, stderr } = await setup.run([...line, '--json']);
    expect(exitCode).toBe(11);
    const { data, ...summary } = JSON.parse(stdout);
    expect(summary).toMatchObject({ emails: 150, accepted: 100, rejected: 0, unknown: 50 });
    expect(data[99]).toEqual({ row: 100, to: 'p100@example.org', emailId: 'em_p100@example.org' });
    expect(data[100]).toMatchObject({ row: 101, error: { code: 'unknown' } });
    expect(failureOf({ stdout, stderr })).toEqual({
      code: 'partial',
      message: 'Accepted 100 of 150 emails; 50 with an unknown outcome.',
      hint: expect.stringContaining('--resend-unknown'),
    });
    expect(setup.service.requests).toHaveLength(2);
  });

  test('--resend-unknown sends them under new keys', async () => {
    const setup = await abandoned();
    expect(await setup.run([...line, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(150)).toEqual(everybody(150).slice(100));
    expect(new Set(keys(setup)).size).toBe(3);
  });

  test('a little earlier they are repeated under the same key', async () => {
    const setup = await setUp(50, down, ...repeat(12, accept));
    await setup.run([...line, '--retries', '0']);
    setup.world.clock.advance(23.5 * 3_600_000);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(new Set(keys(setup)).size).toBe(1);
  });
});

describe('emails that the service refuses', () => {
  test('named ones are taken out, the others of their hundred are sent: 11', async () => {
    const bad = ['p3@example.org', 'p120@example.org'];
    const setup = await setUp(150, ...repeat(10, refuseNamed(...bad)));
    const { exitCode, stdout, stderr } = await setup.run([...line, '--csv']);
    expect(exitCode).toBe(11);
    expect(stderr).toBe('Error: Accepted 148 of 150 emails; 2 rejected.\n');
    const rows = stdout.split('\r\n');
    expect(rows).toHaveLength(152);
    expect(rows[3]).toBe('3,p3@example.org,,rejected,to: no p3@example.org');
    expect(rows[4]).toBe('4,p4@example.org,em_p4@example.org,,');
    expect(setup.service.requests).toHaveLength(4);
    expect(new Set(keys(setup)).size).toBe(4);
  });

  test('one that is not named is found by halving', async () => {
    const setup = await setUp(100, ...repeat(40, refuseUnnamed('p77@example.org')));
    const { exitCode, stdout } = await setup.run([...line, '--jsonl']);
    expect(exitCode).toBe(11);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    const rejected = rows.filter(({ error }) => error !== undefined);
    expect(rejected).toEqual([
      {
        row: 77,
        to: 'p77@example.org',
        error: { code: 'rejected', message: 'One of these is bad' },
      },
    ]);
    expect(rows.map(({ row }) => row)).toEqual(everybody(100).map((_, index) => index + 1));
    expect(setup.service.requests.length).toBeLessThan(20);
  });

  test('when it takes none, the run stops, and resumes once that is fixed', async () => {
    const all = refuseUnnamed(...everybody(1000));
    const setup = await setUp(1000, ...repeat(28, all), ...repeat(60, accept));
    const { exitCode, stderr } = await setup.run(line);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^Error: row \d+ \(p\d+@example\.org\): One of these is bad\nHint: [\s\S]*rejected all recent emails.* 0 of 1,000 emails are accepted so far/,
    );
    // The last request reads the domains, because the sender may be the reason.
    expect(setup.service.requests).toHaveLength(29);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    const accepted = setup.service.requests.slice(29).flatMap((one) => emailsIn(one));
    expect(accepted.map(({ to }) => to).toSorted()).toEqual(everybody(1000).toSorted());
  });
});

test('--results has a line for each row, those that never went out too', async () => {
  const setup = await connected(...repeat(3, refuseNamed('bad@example.org')));
  setup.file(
    'people.csv',
    'to,name\nana@example.org,Ana\nno address,Ben\nbad@example.org,Cy\nana@example.org,Ana\ndi@example.org,\n',
  );
  const words = [...line, '--skip-invalid', '--unique', '--results', 'out.jsonl'];
  const { exitCode } = await setup.run(words);
  expect(exitCode).toBe(11);
  const read = (name: string) => readFileSync(join(setup.world.home, name), 'utf8').trimEnd();
  expect(
    read('out.jsonl')
      .split('\n')
      .map((row) => JSON.parse(row)),
  ).toEqual([
    { row: 1, to: 'ana@example.org', emailId: 'em_ana@example.org' },
    {
      row: 2,
      to: 'no address',
      error: { code: 'invalid', message: expect.stringMatching(/^to: /) },
    },
    {
      row: 3,
      to: 'bad@example.org',
      error: { code: 'rejected', message: 'to: no bad@example.org' },
    },
    {
      row: 4,
      to: 'ana@example.org',
      error: { code: 'duplicate', message: 'ana@example.org is also in row 1' },
    },
    {
      row: 5,
      to: 'di@example.org',
      error: { code: 'invalid', message: '--subject: no value for name, and no default' },
    },
  ]);
  expect(statSync(join(setup.world.home, 'out.jsonl')).mode & 0o777).toBe(0o600);
  await setup.run(words.with(-1, 'out.csv'));
  expect(read('out.csv').split('\r\n')).toHaveLength(6);
});

describe('a journal that cannot be trusted', () => {
  async function begun(): Promise<Connected> {
    const setup = await setUp(150, accept, down);
    await setup.run([...line, '--retries', '0']);
    return setup;
  }

  async function expectRefused(setup: Connected, said: RegExp): Promise<void> {
    const outcome = await setup.run([...line, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(said);
    expect(setup.service.requests).toHaveLength(2);
    const status = await setup.run('run list --json');
    expect(JSON.parse(status.stdout)).toMatchObject([{ state: 'unreadable' }]);
  }

  test('of a newer version', async () => {
    const setup = await begun();
    const database = new DatabaseSync(join(runDirectory(setup), 'journal.sqlite'));
    database.exec(`PRAGMA user_version = ${journalVersion + 1}`);
    database.close();
    await expectRefused(
      setup,
      new RegExp(
        `The journal of this run was written by a newer mailer \\(its format is ${journalVersion + 1}`,
      ),
    );
    const corrected = line.map((word) => (word === 'Hello' ? 'Hello, corrected' : word));
    const newer = { message: expect.stringContaining('was written by a newer mailer') };
    for (const words of [corrected, ['run', 'delete', onlyRun(setup.world), '--yes']]) {
      const outcome = await setup.run([...words, '--json']);
      expect({ words, ...outcome }).toMatchObject({ exitCode: 2 });
      expect(errorOf(outcome)).toMatchObject(newer);
      expect(errorOf(outcome).hint).toContain('Use the newer version');
      expect(errorOf(outcome).hint).not.toContain('away');
    }
    expect(setup.service.requests).toHaveLength(2);
    expect(existsSync(runDirectory(setup))).toBe(true);
  });

  test.each([0, 100, 5000])('cut after %i bytes', async (bytes) => {
    const setup = await begun();
    truncateSync(join(runDirectory(setup), 'journal.sqlite'), bytes);
    await expectRefused(setup, /The journal of this run/);
  });

  test('that is no database', async () => {
    const setup = await begun();
    writeFileSync(join(runDirectory(setup), 'journal.sqlite'), 'hello '.repeat(1000));
    await expectRefused(setup, /The journal of this run cannot be read/);
  });
});

test('the files of a run are private', async () => {
  const setup = await setUp(3, down);
  await setup.run([...line, '--retries', '0']);
  const directory = runDirectory(setup);
  expect(readdirSync(directory)).toEqual(['journal.sqlite', 'run.json']);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) {
    expect({ name, mode: statSync(join(directory, name)).mode & 0o777 }).toEqual({
      name,
      mode: 0o600,
    });
  }
});

test('a damaged journal stops new runs of its own file, and of others only without its label', async () => {
  const setup = await setUp(3, down, accept);
  await setup.run([...line, '--retries', '0']);
  const directory = runDirectory(setup);
  truncateSync(join(directory, 'journal.sqlite'), 100);
  setup.file('others.csv', 'to,name\nd@example.org,Di\n');
  const others = line.with(2, 'others.csv');
  expect(await setup.run(others)).toMatchObject({ exitCode: 0 });
  rmSync(join(directory, 'run.json'));
  const { exitCode, stderr } = await setup.run(others.with(6, 'Hello'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('the journal of a run, perhaps of this file, cannot be read');
  expect(posts(setup)).toHaveLength(2);
});

describe('--shard', () => {
  test('shards take every chunk once, under the keys that the whole has', async () => {
    const setup = await setUp(1050, ...repeat(30, accept));
    for (const shard of ['1/3', '2/3', '3/3']) {
      expect(await setup.run([...line, '--shard', shard])).toMatchObject({ exitCode: 0 });
    }
    expect(sentTo(setup).toSorted()).toEqual(everybody(1050).toSorted());
    // The same service, on a machine without the journal.
    await setup.run(line, { env: { MAILER_STATE_DIR: 'whole' } });
    const [shards, whole] = [keys(setup).slice(0, 11), keys(setup).slice(11)];
    expect(new Set(shards).size).toBe(11);
    expect(whole.toSorted()).toEqual(shards.toSorted());
  });

  test('machines at the same time, two of them with one shard, have each row under one key', async () => {
    const setup = await setUp(1050, ...repeat(30, accept));
    const machines = ['1/3', '2/3', '3/3', '2/3'].map((shard, index) =>
      setup.run([...line, '--shard', shard], { env: { MAILER_STATE_DIR: `machine-${index}` } }),
    );
    for (const outcome of await Promise.all(machines)) {
      expect(outcome).toMatchObject({ exitCode: 0 });
    }
    const bodies = new Map(posts(setup).map((one) => [one.headers['idempotency-key'], one.body]));
    const sent = [...bodies.values()].flatMap((body) => emailsIn({ body }));
    expect(sent.map(({ to }) => to).toSorted()).toEqual(everybody(1050).toSorted());
    expect(new Set(posts(setup).map(({ body }) => body)).size).toBe(bodies.size);
  });

  test('a run is not divided differently once it has started', async () => {
    const setup = await setUp(250, ...repeat(30, accept));
    await setup.run([...line, '--shard', '1/3']);
    for (const words of [line, [...line, '--shard', '1/2']]) {
      const { exitCode, stderr } = await setup.run(words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('was started with --shard 1/3');
    }
    expect(setup.service.requests).toHaveLength(1);
  });

  test.each(['0/3', '4/3', '3', 'a/b', '1/0'])('%s is no shard', async (shard) => {
    const setup = await setUp(3);
    expect((await setup.run([...line, '--shard', shard])).exitCode).toBe(2);
  });
});
