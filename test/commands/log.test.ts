import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

type World = ReturnType<typeof createWorld>;

async function logOf(world: World, ...flags: readonly string[]) {
  const { stdout, stderr } = await world.run(['log', 'list', '--sandbox', '--json', ...flags]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const send =
  'email send --from hello@example.com --to ana@example.org --cc Ben<ben@example.org> --subject Secret --text Words --sandbox';

/** Every file below a directory. */
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  );
}

describe('the log', () => {
  test('has what mailed, changed and deleted, and what was stopped, but not what read', async () => {
    const world = createWorld();
    const sent = await world.run(send);
    await world.run('email list --sandbox');
    await world.run('contact book create --name New --double-opt-in off --sandbox');
    await world.run('contact book delete New --yes --sandbox');
    await world.run('api DELETE /v1/contactBooks/book_customers --yes --sandbox', {
      env: { MAILER_DELETES: 'off' },
    });
    await world.run(`${send} --dry-run`);
    const entries = await logOf(world);
    expect(entries).toMatchObject([
      {
        command: 'api',
        state: 'stopped',
        exitCode: 2,
        requests: 0,
        effect: 'deletes',
      },
      { command: 'contact book delete', state: 'done', effect: 'deletes', recipients: 0 },
      { command: 'contact book create', state: 'done', effect: 'changes', requests: 1 },
      {
        command: 'email send',
        state: 'done',
        exitCode: 0,
        effect: 'mails',
        requests: 1,
        recipients: 2,
        run: null,
        ids: [sent.stdout.trim()],
        directory: world.home,
      },
    ]);
    expect(entries[3].at).toBe(new Date(world.clock.now).toISOString());
  });

  test('has no texts, addresses or secrets, and lies in a private file', async () => {
    const { world, run } = await connected();
    const answers = '--header X-Key:4712 --idempotency-key k1 --retries 0';
    await run(
      `email send --from hello@example.com --to ana@example.org --subject Secret --text Words ${answers}`,
    );
    await run(
      'api POST /v1/contactBooks/b1/contacts -f email=ana@example.org -f firstName=Annabel --yes --retries 0',
    );
    await run('contact update ana@example.org --book Customers --first-name Annabel --retries 0');
    const { stdout } = await run('log list --json');
    const lines = JSON.parse(stdout).map(({ line }: { line: string }) => line);
    expect(lines).toContain(
      'mailer email send --from --to --subject --text --header --idempotency-key k1 --retries 0',
    );
    const files = filesBelow(world.home).filter((path) => path.includes('log.sqlite'));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      expect(statSync(path).mode & 0o077).toBe(0);
      const content = readFileSync(path, 'latin1');
      for (const hidden of ['ana@', 'Secret', 'Words', '4712', 'Annabel', key]) {
        expect(content).not.toContain(hidden);
      }
    }
  });

  test('finds the commands about an address, however it was written', async () => {
    const world = createWorld();
    await world.run(send);
    await world.run(
      send
        .replace('ana@example.org', 'cy@example.org')
        .replace('--cc Ben<ben@example.org>', '--bcc BEN@Example.org'),
    );
    const found = async (to: string) => (await logOf(world, '--to', to)).length;
    expect([await found('ana@example.org'), await found('Ana <ANA@example.org>')]).toEqual([1, 1]);
    expect([await found('ben@example.org'), await found('nobody@example.org')]).toEqual([2, 0]);
  });

  test('finds rows of a batch, the run, and by time, command and profile', async () => {
    const world = createWorld();
    writeFileSync(join(world.home, 'people.csv'), 'to\nana@example.org\nben@example.org\n');
    await world.run(
      'email batch people.csv --from hello@example.com --subject s --text t --yes --sandbox',
    );
    await world.clock.advance?.(0);
    const [batch] = await logOf(world, '--to', 'ben@example.org');
    expect(batch).toMatchObject({
      command: 'email batch',
      recipients: 2,
      run: expect.stringMatching(/^[0-9a-f]{8,}/),
    });
    expect(await logOf(world, '--command', 'email')).toHaveLength(1);
    expect(await logOf(world, '--command', 'email batch')).toHaveLength(1);
    expect(await logOf(world, '--command', 'ema')).toHaveLength(0);
    expect(await logOf(world, '--since', '1h')).toHaveLength(1);
    expect(await logOf(world, '--until', '1h')).toHaveLength(0);
    expect(await logOf(world, '--profile', 'other')).toHaveLength(0);
    const one = await world.run(`log get ${batch.entry} --sandbox --json`);
    expect(JSON.parse(one.stdout)).toEqual(batch);
    expect(await world.run('log get 99 --sandbox')).toMatchObject({ exitCode: 4 });
  });

  test('is off with a setting', async () => {
    const world = createWorld();
    await world.run('config set log off');
    await world.run(send);
    expect(await logOf(world)).toEqual([]);
    await world.run('config set log on');
    await world.run(send, { env: { MAILER_LOG: 'off' } });
    expect(await logOf(world)).toEqual([]);
    await world.run(send);
    expect(await logOf(world)).toHaveLength(1);
  });

  test('fails no command: a file that cannot be used is a warning', async () => {
    const { world, run, requests } = await connected((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"emailId":"email_1"}');
    });
    const state = join(world.home, 'state');
    mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
    chmodSync(state, 0o700);
    writeFileSync(
      join(state, 'log', 'log.sqlite'),
      'no database, in more than sixteen bytes of text',
    );
    const outcome = await run(send.replace(' --sandbox', ''), { env: { MAILER_STATE_DIR: state } });
    expect({ exitCode: outcome.exitCode, requests: requests() }).toEqual({
      exitCode: 0,
      requests: ['POST /api/v1/emails'],
    });
    expect(outcome.stderr).toContain(
      'This command is not in the log, because its file cannot be used',
    );
    expect(existsSync(join(state, 'log', 'log.sqlite'))).toBe(true);
  });

  test('says that a command failed after its request left', async () => {
    const { run } = await connected((response) => {
      response
        .writeHead(422, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no"}}');
    });
    const failed = await run(`${send.replace(' --sandbox', '')} --json`);
    expect(errorOf(failed).code).toBeDefined();
    const { stdout } = await run('log list --json');
    expect(JSON.parse(stdout)).toMatchObject([
      { state: 'failed', exitCode: failed.exitCode, requests: 1 },
    ]);
  });
});
