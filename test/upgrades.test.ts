import {
  copyFileSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { version } from '../src/lib/base/version.ts';
import { everybody } from './support/batch.ts';
import { repeat } from './support/batch-run.ts';
import { accept, emailsIn } from './support/batch-service.ts';
import { valuesOf } from './support/complete.ts';
import { key } from './support/connected.ts';
import { keepFiles, keptVersions, worldOf } from './support/kept-files.ts';
import { startWithoutTemplates } from './support/recorder.ts';
import type { World } from './support/run.ts';

// What a version has left on a machine is read by those after it, and one before it refuses it by name.
// `MAILER_FIXTURES=write` writes the files of this version.

if (process.env.MAILER_FIXTURES === 'write') {
  test('write', async () => {
    await keepFiles(version);
    expect(keptVersions()).toContain(version);
  });
}

async function json(world: World, words: string) {
  const { stdout, stderr, exitCode } = await world.run(`${words} --json`);
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe.each(keptVersions())('of the files that %s has left, this version reads', (kept) => {
  test('profiles, settings and policy', async () => {
    const world = worldOf(kept);
    expect(await json(world, 'profile list')).toMatchObject([
      { name: 'other', current: false },
      { name: 'shop', current: true },
    ]);
    expect((await world.run('config get from')).stdout).toBe('hello@example.com\n');
    const { rules } = await json(world, 'policy show');
    expect(rules).toMatchObject([{ rule: 'allow-to', value: '*@example.org' }]);
    // And writes them.
    await world.run('config set from other@example.com');
    expect((await world.run('config get from')).stdout).toBe('other@example.com\n');
  });

  test('no cache of completion, which is only for the very file of its configuration', async () => {
    expect(await valuesOf(worldOf(kept), 'domain get ')).toEqual([]);
  });

  test('the data of the sandbox, and the id of the last email', async () => {
    const world = worldOf(kept);
    const emails = await json(world, 'email list --sandbox');
    const subjects = emails.data.map((one: { readonly subject: string }) => one.subject);
    expect(subjects).toEqual(expect.arrayContaining(['Sent', 'Hi Ana', 'Hi Ben']));
    expect(await json(world, 'email get @last --sandbox')).toMatchObject({ subject: 'Hi Ben' });
  });

  test('the journal of a run', async () => {
    const world = worldOf(kept);
    const [run, ...others] = await json(world, 'run list --sandbox');
    expect([run, ...others]).toMatchObject([{ state: 'complete' }]);
    // Whoever sends the same file again learns from the journal that it was sent.
    expect(await json(world, `run get ${run.run} --sandbox`)).toMatchObject({
      accepted: 2,
      left: 0,
    });
  });

  test('the journal of a run that has stopped, and sends the rest of it', async () => {
    const world = worldOf(kept);
    const service = await startWithoutTemplates(...repeat(9, accept));
    const env = { MAILER_API_KEY: key };
    const { stdout } = await world.run('run list --json');
    const [run] = JSON.parse(stdout);
    expect(run).toMatchObject({ state: 'incomplete', emails: 150, accepted: 100 });
    const words = `run resume ${run.run} --base-url ${service.baseUrl} --yes`;
    const { exitCode, stderr } = await world.run(words, { env });
    expect([exitCode, stderr]).toMatchObject([0, expect.stringContaining('Accepted 150 of 150')]);
    const sent = service.requests.filter(({ method }) => method === 'POST').flatMap(emailsIn);
    expect(sent.map(({ to }) => to)).toEqual(everybody(150).slice(100));
  });

  test('the log', async () => {
    const world = worldOf(kept);
    const entries = await json(world, 'log list --sandbox --to ben@example.org');
    expect(entries).toMatchObject([{ command: 'email batch', recipients: 2 }]);
    const { length } = await json(world, 'log list --sandbox');
    await world.run('domain add new.example.org --region us-east-1 --sandbox');
    expect(await json(world, 'log list --sandbox')).toHaveLength(length + 1);
  });

  test('the outbox', async () => {
    const world = worldOf(kept);
    const [entry] = await json(world, 'outbox list --sandbox');
    expect(await json(world, `outbox get ${entry.id} --sandbox`)).toMatchObject({
      state: 'pending',
      subject: 'For approval',
    });
  });

  test('how many were mailed today', async () => {
    const world = worldOf(kept);
    const words =
      'email send --sandbox --from hello@example.com --to ana@example.org --text Hi --subject';
    const env = { MAILER_MAX_PER_DAY: '3' };
    const { exitCode, stderr } = await world.run([...words.split(' '), 'More'], { env });
    expect(stderr).toContain('max-per-day');
    expect(exitCode).not.toBe(0);
  });
});

describe('what a newer version has written is refused by name, and stays as it is:', () => {
  const newest = keptVersions().at(-1) ?? version;
  const said = 'was written by a newer mailer';

  /** The file of this name among the data of the sandbox. */
  function fileOf({ home }: World, name: string): string {
    const directory = join(home, '.local/share/mailer/sandbox');
    const [found = ''] = globSync([name, `{*,*/*}/${name}`], { cwd: directory });
    return join(directory, found);
  }

  function change(path: string, statement: string): void {
    const database = new DatabaseSync(path);
    database.exec(statement);
    database.close();
  }

  function raise(path: string): void {
    change(path, 'PRAGMA user_version = 99');
  }

  test('the configuration', async () => {
    const world = worldOf(newest);
    const path = join(world.home, '.config', 'mailer', 'config.json');
    const text = JSON.stringify({ format: 2, accounts: {} });
    writeFileSync(path, text);
    for (const words of ['profile list', 'config set from a@example.org']) {
      const { exitCode, stderr } = await world.run(words);
      expect(stderr).toContain(`${path} ${said} (its format is 2; this version reads 1)`);
      expect(exitCode).toBe(2);
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('the journal of a run', async () => {
    const world = worldOf(newest);
    const path = fileOf(world, 'journal.sqlite');
    const [{ run }] = await json(world, 'run list --sandbox');
    raise(path);
    const { exitCode, stderr } = await world.run(`run resume ${run} --sandbox --yes`);
    expect(stderr).toContain(`The journal of this run ${said}`);
    expect(stderr).toContain(path);
    expect(exitCode).toBe(2);
  });

  /** A machine on which the data of the sandbox is that of another version. */
  function sandboxOf(format: number) {
    const world = worldOf(newest);
    const directory = join(world.home, '.local/share/mailer/sandbox');
    const path = join(directory, `sandbox-v${format}.sqlite`);
    const [own = ''] = globSync('sandbox-v*.sqlite', { cwd: directory });
    renameSync(join(directory, own), path);
    const env = { MAILER_SANDBOX_DIR: directory };
    return { path, run: (words: string) => world.run(words, { env }) };
  }

  test.each([
    [99, `sandbox-v99.sqlite ${said}.`],
    [1, 'sandbox-v1.sqlite was written by an older mailer'],
  ])('the data of the sandbox, unless it is reset; of an older one, too: %i', async (...given) => {
    const [format, sentence] = given;
    const { path, run } = sandboxOf(format);
    const { exitCode, stderr } = await run('email list --sandbox');
    expect(stderr).toContain(sentence);
    expect(stderr).toContain('mailer sandbox reset');
    expect(exitCode).toBe(2);
    expect(existsSync(path)).toBe(true);
    expect(await run('sandbox reset --yes')).toMatchObject({ exitCode: 0 });
    expect(existsSync(path)).toBe(false);
    expect(await run('email list --sandbox')).toMatchObject({ exitCode: 0 });
  });

  test.each([
    [99, 'a newer mailer.'],
    [1, 'an older mailer'],
  ])('such data under the name of this version: %i', async (format, whose) => {
    const world = worldOf(newest);
    const path = fileOf(world, 'sandbox-v*.sqlite');
    change(path, `PRAGMA user_version = ${format}`);
    const { exitCode, stderr } = await world.run('email list --sandbox');
    expect(stderr).toContain(`${basename(path)} was written by ${whose}`);
    expect(exitCode).toBe(2);
    expect(await world.run('run list --sandbox --quiet')).not.toMatchObject({ stdout: '' });
    expect(await world.run('sandbox reset --yes')).toMatchObject({ exitCode: 0 });
    expect(await world.run('email list --sandbox')).toMatchObject({ exitCode: 0 });
    expect(await world.run('run list --sandbox --quiet')).toMatchObject({ stdout: '' });
  });

  test('a test account of the sandbox, unless it is reset', async () => {
    const world = worldOf(newest);
    const env = { MAILER_API_KEY: 'us_sandbox_test_a' };
    const list = () => world.run('email list --sandbox', { env });
    expect(await list()).toMatchObject({ exitCode: 0 });
    const [path = ''] = globSync('.local/share/mailer/sandbox/accounts/*/sandbox-v*.sqlite', {
      cwd: world.home,
    });
    const of = (format: number) => path.replace(/v\d+/, `v${format}`);
    renameSync(join(world.home, path), join(world.home, of(99)));
    expect((await list()).stderr).toContain(`sandbox-v99.sqlite ${said}.`);
    await world.run('sandbox reset --yes');
    expect(await list()).toMatchObject({ exitCode: 0 });
  });

  test('a reset of the sandbox that fails deletes nothing', async () => {
    const world = worldOf(newest);
    const before = await world.run('run list --sandbox --quiet');
    change(
      fileOf(world, 'sandbox-v*.sqlite'),
      "CREATE TRIGGER refuse BEFORE DELETE ON emails BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    expect(await world.run('sandbox reset --yes')).not.toMatchObject({ exitCode: 0 });
    expect(before.stdout).not.toBe('');
    expect(await world.run('run list --sandbox --quiet')).toEqual(before);
  });

  test('data beside a damaged file, which is reset alone', async () => {
    const world = worldOf(newest);
    const directory = join(world.home, '.local/share/mailer/sandbox');
    const path = fileOf(world, 'sandbox-v*.sqlite');
    const newer = join(directory, 'sandbox-v99.sqlite');
    copyFileSync(path, newer);
    truncateSync(path, 5000);
    const env = { MAILER_SANDBOX_DIR: directory };
    const reset = await world.run('sandbox reset --yes', { env });
    expect({ exitCode: reset.exitCode, stderr: reset.stderr }).toMatchObject({ exitCode: 0 });
    expect(existsSync(newer)).toBe(true);
  });

  test('the log; commands go on without it', async () => {
    const world = worldOf(newest);
    const path = fileOf(world, 'log.sqlite');
    raise(path);
    const { exitCode, stderr } = await world.run('log list --sandbox');
    expect(stderr).toContain(`${path} ${said}`);
    expect(exitCode).toBe(2);
    const outcome = await world.run('domain add new.example.org --region us-east-1 --sandbox');
    expect(outcome.stderr).toContain(said);
    expect(outcome.exitCode).toBe(0);
    expect(existsSync(path)).toBe(true);
  });

  test('an entry of the outbox, which is not swept away', async () => {
    const world = worldOf(newest);
    const [entry] = await json(world, 'outbox list --sandbox');
    const path = fileOf(world, 'entry.json');
    writeFileSync(path, JSON.stringify({ version: 2 }));
    const { exitCode, stderr } = await world.run(`outbox get ${entry.id} --sandbox`);
    expect(stderr).toContain(`${path} ${said}`);
    expect(exitCode).toBe(2);
    world.clock.advance(10 * 24 * 60 * 60 * 1000);
    const words =
      'email send --sandbox --from hello@example.com --to ana@example.org --text Hi --for-approval --subject';
    expect(await world.run([...words.split(' '), 'Another'])).toMatchObject({ exitCode: 0 });
    expect(existsSync(path)).toBe(true);
  });

  test('an entry of the outbox that is prepared again; the others are listed', async () => {
    const world = worldOf(newest);
    const send = (subject: string) =>
      world.run([
        ...'email send --sandbox --from hello@example.com --to ana@example.org --text Hi'.split(
          ' ',
        ),
        ...['--for-approval', '--json', '--subject', subject],
      ]);
    const { id } = JSON.parse((await send('Mine')).stdout);
    const path = fileOf(world, `${id}/entry.json`);
    const text = JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version: 2 });
    writeFileSync(path, text);
    const listed = await world.run('outbox list --sandbox');
    expect(listed.stderr).toContain(`${path} ${said}`);
    expect(listed.stdout).toContain('For approval');
    expect(listed.exitCode).toBe(0);
    const again = await send('Mine');
    expect(again.stderr).toContain(`${path} ${said}`);
    expect(again.exitCode).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('the count of today, without which nothing is sent', async () => {
    const world = worldOf(newest);
    const path = fileOf(world, 'mailed.sqlite');
    raise(path);
    const words =
      'email send --sandbox --from hello@example.com --to ana@example.org --text Hi --subject On';
    const { exitCode, stderr } = await world.run(words, { env: { MAILER_MAX_PER_DAY: '9' } });
    expect(stderr).toContain(`${path} ${said}`);
    expect(exitCode).toBe(2);
  });
});
