import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn, key } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';
import { create } from './campaign/draft.ts';

type World = ReturnType<typeof createWorld>;

async function logOf(world: World, ...flags: readonly string[]) {
  const { stdout, stderr } = await world.run(['log', 'list', '--sandbox', '--json', ...flags]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const send =
  'email send --from hello@example.com --to ana@example.org --cc Ben<ben@example.org> --subject Secret --text Words --sandbox';

const accepts: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"emailId":"email_1"}');
};

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
    await run(
      'api DELETE /v1/contactBooks/b1/contacts/c1?who=eva%40example.org&token=t4711 --yes --retries 0',
    );
    const { stdout } = await run('log list --json');
    const lines = JSON.parse(stdout).map(({ line }: { line: string }) => line);
    expect(lines).toContain(
      'mailer email send --from --to --subject --text --header --idempotency-key --retries 0',
    );
    const files = filesBelow(world.home).filter((path) => path.includes('log.sqlite'));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      expect(statSync(path).mode & 0o077).toBe(0);
      const content = readFileSync(path, 'latin1');
      for (const hidden of ['ana@', 'eva', 't4711', 'Secret', 'Words', '4712', 'Annabel', key]) {
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
    await world.run('contact add --email eva@example.org --book book_customers --sandbox');
    await world.run('contact update eva@example.org --book Customers --first-name Eva --sandbox');
    await world.run('contact delete eva@example.org --book Customers --yes --sandbox');
    expect(await found('eva@example.org')).toBe(3);
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

  test.each([
    ['from its beginning', 0],
    ['beyond it', 4096],
  ])('that is damaged %s is set aside, and a new one has the command', async (_, at) => {
    const { world, run, requests } = await connected(...Array<Answer>(2).fill(accepts));
    const state = join(world.home, 'state');
    const env = { MAILER_STATE_DIR: state };
    const line = send.replace(' --sandbox', '');
    await run(line, { env });
    const path = join(state, 'log', 'log.sqlite');
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at, 'x')]),
    );
    const outcome = await run(line, { env });
    expect({ exitCode: outcome.exitCode, requests: requests().length }).toEqual({
      exitCode: 0,
      requests: 2,
    });
    expect(outcome.stderr).toMatch(
      /The log of commands was damaged\. It is now \S+log\.sqlite\.damaged-\d+, and a new one was started\./,
    );
    expect(readdirSync(join(state, 'log')).filter((name) => name.includes('damaged'))).toHaveLength(
      1,
    );
    const { stdout, stderr } = await run('log list --json', { env });
    expect(JSON.parse(stdout)).toMatchObject([
      { command: 'email send', state: 'done', requests: 1 },
    ]);
    expect(stderr).toBe('');
  });

  test('that is damaged can be listed: it is set aside, and that is said', async () => {
    const world = createWorld();
    const log = join(world.home, 'state', 'log');
    mkdirSync(log, { recursive: true, mode: 0o700 });
    chmodSync(join(world.home, 'state'), 0o700);
    writeFileSync(join(log, 'log.sqlite'), 'no database, in more than sixteen bytes of text');
    const env = { MAILER_STATE_DIR: join(world.home, 'state') };
    const outcome = await world.run('log list', { env });
    expect(outcome).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('The log of commands was damaged.'),
    });
    expect((await world.run('log list', { env })).stderr).not.toContain('damaged');
  });

  test('fails no command: a place that cannot be used is a warning', async () => {
    const { world, run, requests } = await connected(accepts);
    const state = join(world.home, 'state');
    mkdirSync(join(state, 'log', 'log.sqlite'), { recursive: true, mode: 0o700 });
    chmodSync(state, 0o700);
    const outcome = await run(send.replace(' --sandbox', ''), { env: { MAILER_STATE_DIR: state } });
    expect({ exitCode: outcome.exitCode, requests: requests() }).toEqual({
      exitCode: 0,
      requests: ['POST /api/v1/emails'],
    });
    expect(outcome.stderr).toContain(
      'This command is not in the log, because its file cannot be used',
    );
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

describe('who did it', () => {
  test('a lead asks who started the campaign of this morning', async () => {
    const world = createWorld();
    await world.run('whoami --sandbox');
    const id = await create(world, 'March news');
    const words = `campaign schedule ${id} --now --yes --expect-contacts 1..99 --sandbox`;
    const dryRun = await world.run(`${words} --dry-run --json`);
    const { digest } = JSON.parse(dryRun.stdout);
    const started = await world.run(words);
    expect(started).toMatchObject({ exitCode: 0 });
    const [entry] = await logOf(world, '--command', 'campaign schedule', '--since', 'today');
    expect(entry).toMatchObject({
      ...{ user: 'ana', at: '2026-01-15T10:00:00.000Z', directory: world.home, digest },
      ...{ recipients: 11, team: expect.stringMatching(/./), ids: [id], state: 'done' },
    });
    const { stdout, stderr } = await world.run(['campaign', 'get', 'March news', '--sandbox']);
    expect(stdout).toContain('March news');
    expect(stderr).toContain(
      `From here by ana, 10:00: campaign schedule, to 11 people, in ${world.home}. Digest: ${digest}. Details: mailer log get ${entry.entry} --sandbox`,
    );
    const shown = await world.run(`log get ${entry.entry} --sandbox`);
    expect(shown.stdout).toContain(`digest\t${digest}\n`);
    expect(shown.stdout).toContain(`team\t${entry.team}\n`);
    const listed = await world.run('log list --sandbox');
    expect(listed.stdout).toContain(digest);
  });

  test('of a campaign whose contacts nobody counted, their number is unknown', async () => {
    const world = createWorld();
    const id = await create(world, 'News');
    await world.run(`campaign schedule ${id} --now --yes --sandbox`);
    const [entry] = await logOf(world, '--command', 'campaign schedule');
    expect(entry).toMatchObject({ recipients: null, team: null });
  });

  test('an email and a run say it; JSON, fields and quiet output do not', async () => {
    const world = createWorld();
    const sent = await world.run(send);
    const id = sent.stdout.trim();
    world.clock.advance(24 * 60 * 60 * 1000);
    const said = 'From here by ana, 2026-01-15 10:00: email send, to 2 people, in ';
    expect((await world.run(`email get ${id} --sandbox`)).stderr).toContain(said);
    for (const more of ['--json', '--quiet', '--fields id']) {
      expect((await world.run(`email get ${id} --sandbox ${more}`)).stderr).toBe('');
    }
    fileIn(world, 'people.csv', 'to\nana@example.org\nben@example.org\n');
    const batch =
      'email batch people.csv --from hello@example.com --subject s --text t --yes --sandbox';
    const { digest } = JSON.parse((await world.run(`${batch} --dry-run --json`)).stdout);
    await world.run(batch);
    const { stderr } = await world.run('run get @last --sandbox');
    expect(stderr).toContain('From here by ana, 10:00: email batch, to 2 people, in ');
    expect(stderr).toContain(`Digest: ${digest}.`);
  });

  test('what is shown needs no log, and no log that can be read', async () => {
    const world = createWorld();
    const { stdout } = await world.run(send, { env: { MAILER_LOG: 'off' } });
    const line = `email get ${stdout.trim()} --sandbox`;
    expect(await world.run(line)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('several requests have one digest', async () => {
    const { run } = await connected(...Array<Answer>(3).fill(accepts));
    await run('email cancel - --yes', { stdin: 'email_1\nemail_2\n' });
    await run('email cancel email_1 --yes');
    const { stdout } = await run('log list --json');
    const digests = JSON.parse(stdout).map((entry: { digest: string }) => entry.digest);
    expect(digests).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect(digests[0]).not.toBe(digests[1]);
  });

  test('a log of an earlier version has its entries, and takes new ones', async () => {
    const world = createWorld();
    await world.run(send);
    const [path = ''] = filesBelow(world.home).filter((one) => one.endsWith('log.sqlite'));
    const database = new DatabaseSync(path);
    database.exec(
      'ALTER TABLE entry DROP COLUMN digest; ALTER TABLE entry DROP COLUMN team; ALTER TABLE entry DROP COLUMN uncounted; DROP TABLE team',
    );
    database.close();
    expect(await logOf(world)).toMatchObject([{ digest: null, team: null, recipients: 2 }]);
    await world.run(send);
    expect(await logOf(world)).toHaveLength(2);
  });
});
