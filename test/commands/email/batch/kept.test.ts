import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accept, emailsIn, refuseNamed, refuseUnnamed } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld, type World } from '../../../support/run.ts';

const down = { status: 503 };
const template = ['--from', 'hello@example.com', '--subject', 'Hi {{ name }}', '--text', 'Hello'];
const line = ['email', 'batch', 'people.csv', ...template, '--yes', '--concurrency', '1'];
const breaking = [...line, '--retries', '0'];

/** A file of people, and a service that gives these answers. */
async function setUp(rows: number, ...answers: readonly Answer[]): Promise<Connected> {
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  return setup;
}

function runsDirectory({ home }: World): string {
  return join(home, '.local', 'state', 'mailer', 'runs');
}

/** Names of the runs, in order. */
function runs(world: World): string[] {
  return readdirSync(runsDirectory(world)).filter((name) => name !== 'locks');
}

function locks(world: World): string[] {
  return readdirSync(join(runsDirectory(world), 'locks'));
}

/** The only run there is. */
function onlyRun(world: World): string {
  const [name = '', ...others] = runs(world);
  expect(others).toEqual([]);
  return name;
}

/** The files of the only run there is. */
function filesOfRun(world: World): string[] {
  return readdirSync(join(runsDirectory(world), onlyRun(world)));
}

/** Has another connection hold a lock, as another process does. */
function hold(world: World, name: string): DatabaseSync {
  const database = new DatabaseSync(join(runsDirectory(world), 'locks', name));
  database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

describe('the request bodies of a run', () => {
  test('are kept while there is something to send, and nothing else beside the journal', async () => {
    const { run, world } = await setUp(150, accept, down, accept);
    await run(breaking);
    expect(filesOfRun(world)).toEqual(['bodies', 'journal.sqlite', 'run.json']);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
  });

  test('are gone when it is complete, rejected rows or not; the same line shows it as before', async () => {
    const { run, world, service } = await setUp(3, ...Array(2).fill(refuseNamed('p2@example.org')));
    const first = await run(line);
    expect(first.exitCode).toBe(11);
    expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
    expect(await run(line)).toMatchObject({ exitCode: 11, stdout: first.stdout });
    expect(await run([...line, '--results', 'r.jsonl', '--quiet'])).toMatchObject({
      stdout: 'em_p1@example.org\nem_p3@example.org\n',
    });
    expect(service.requests).toHaveLength(2);
  });

  test('are kept while emails are unknown, and gone once these are sent again', async () => {
    const { run, world } = await setUp(150, accept, down, accept);
    await run(breaking);
    world.clock.advance(24 * 3_600_000);
    expect((await run(line)).exitCode).toBe(11);
    expect(filesOfRun(world)).toEqual(['bodies', 'journal.sqlite', 'run.json']);
    expect(await run([...line, '--resend-unknown'])).toMatchObject({ exitCode: 0 });
    expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
  });

  test('are not needed to wait later on, for copies neither', async () => {
    const event = (status: string, data: unknown) => ({
      ...{ status, data },
      createdAt: '2026-01-15T10:00:01Z',
    });
    const delivered = event('DELIVERED', { recipients: ['p1@example.org'] });
    const bounced = event('BOUNCED', { bouncedRecipients: [{ emailAddress: 'c@b.example' }] });
    const look = (...emailEvents: readonly unknown[]): Answer => ({
      body: { id: 'em_p1@example.org', to: ['p1@example.org'], emailEvents },
    });
    const looks = [look(delivered), look(delivered, bounced)];
    const { run, world } = await setUp(1, accept, ...looks, ...looks);
    const words = [...line, '--bcc', 'C <c@b.example>'];
    expect(await run(words)).toMatchObject({ exitCode: 0 });
    expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
    for (const turn of ['first', 'second']) {
      expect({ turn, ...(await run([...words, '--wait'])) }).toMatchObject({ exitCode: 9 });
    }
  });

  test('are gone with --wait, too, which shows the emails in the order of the file', async () => {
    const look = (to: string): Answer => ({
      body: { id: `em_${to}`, to: [to], emailEvents: [{ status: 'DELIVERED', createdAt: 'x' }] },
    });
    // The halves of a batch are accepted in another order.
    const refuse = Array(5).fill(refuseUnnamed('p2@example.org'));
    const looks = ['p1@example.org', 'p3@example.org', 'p4@example.org'].map(look);
    const { run, world } = await setUp(4, ...refuse, ...looks, ...looks);
    for (const turn of ['first', 'second']) {
      const { stdout } = await run([...line, '--wait', '--quiet']);
      expect({ turn, stdout }).toEqual({
        turn,
        stdout: 'em_p1@example.org\nem_p3@example.org\nem_p4@example.org\n',
      });
      expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
    }
  });
});

describe('--status', () => {
  test('says what the runs take on disk, and how to delete one', async () => {
    const { run, world } = await setUp(150, accept, down);
    await run(breaking);
    const { stdout, stderr } = await run('email batch --status');
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toMatch(
      /^1 run, \d+(\.\d+)? kB in .*\/runs\. To delete one: mailer email batch --forget RUN\n$/,
    );
    const [{ run: name, bytes }] = JSON.parse((await run('email batch --status --json')).stdout);
    const sizes = filesOfRun(world).map(
      (file) => readFileSync(join(runsDirectory(world), name, file)).byteLength,
    );
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size));
  });

  test('on a terminal says of which runs rows were rejected, or are unknown', async () => {
    const { run, world } = await setUp(150, ...Array(2).fill(refuseNamed('p2@example.org')), down);
    await run(breaking);
    world.clock.advance(24 * 3_600_000);
    await run(line);
    const { stdout } = await run('email batch --status --no-color', { terminal: 80 });
    expect(stdout).toMatch(/^RUN +STATE +FILE +BEGUN +EMAILS +ACCEPTED +LEFT\n/);
    const [, details] = stdout.split('\n\n');
    expect(details).toBe(`${onlyRun(world).slice(0, 8)}\nRejected  1\nUnknown   99\n`);
  });

  test.each([
    ['', ''],
    ['-2of3', '--shard 2/3'],
  ])('on a terminal shows as much of a name as --forget needs: %s', async (share, flags) => {
    const { run, world } = await setUp(250, ...Array(9).fill(accept));
    const others = share === '' ? [] : ['1/3', '3/3'].map((other) => `--shard ${other}`);
    for (const words of [flags, ...others])
      await run([...line, ...words.split(' ').filter(Boolean)]);
    const { stdout } = await run('email batch --status --no-color', { terminal: 80 });
    const shown = stdout
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split(' ')[0] ?? '');
    const name = runs(world).find((one) => one.endsWith(share)) ?? '';
    expect(shown).toContain(`${name.slice(0, 8)}${share}`);
    const words = `email batch --forget ${name.slice(0, 8)}${share} --yes`;
    expect(await run(words)).toMatchObject({ exitCode: 0, stdout: `${name}\n` });
    expect(runs(world)).toHaveLength(others.length);
  });

  test.each([
    ['people.csv', 'FILE'],
    ['people.csv --results r.jsonl --from a@b.example', 'FILE, --results, --from'],
    ['--preview 1', '--preview'],
    ['--wait', '--wait'],
    ['--vars-file x --again', '--vars-file, --again'],
  ])('with %s is refused', async (words, named) => {
    const { run } = await setUp(3);
    const outcome = await run(`email batch --status --json ${words}`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(`--status goes without ${named}`);
  });

  test('takes the flags that every command has', async () => {
    const { run } = await setUp(1, accept);
    await run(line);
    const words = '--fields state --no-color --yes --no-input --dry-run --timeout 3 --retries 1';
    const { stdout } = await run(`email batch --status ${words}`);
    expect(stdout).toBe('state\ncomplete\n');
  });
});

describe('--forget', () => {
  const forget = (name: string, ...words: readonly string[]) => [
    ...['email', 'batch', '--forget', name],
    ...words,
  ];

  test('deletes a run, journal, bodies and lock, by a beginning of its name', async () => {
    const { run, world, service } = await setUp(150, accept, down, ...Array(2).fill(accept));
    await run(breaking);
    const name = onlyRun(world);
    const { exitCode, stdout, stderr } = await run(forget(name.slice(0, 8), '--yes'));
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: `${name}\n`,
      stderr: `Deleted run ${name}.\n`,
    });
    expect(runs(world)).toEqual([]);
    expect(locks(world)).toEqual([]);
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    expect(service.requests.slice(2).flatMap((request) => emailsIn(request))).toHaveLength(150);
  });

  test('shows with --json what it has deleted', async () => {
    const { run, world } = await setUp(3, accept);
    await run(line);
    const { stdout } = await run(forget(onlyRun(world), '--yes', '--json'));
    expect(JSON.parse(stdout)).toMatchObject({ state: 'complete', emails: 3, accepted: 3 });
  });

  test('says before what follows, and deletes nothing without a yes', async () => {
    const { run, world } = await setUp(
      1500,
      accept,
      accept,
      accept,
      down,
      ...Array(20).fill(accept),
    );
    const asks = async () => {
      const { exitCode, stderr } = await run(forget(onlyRun(world)));
      expect(exitCode).toBe(2);
      expect(runs(world)).toHaveLength(1);
      expect(stderr).toMatch(/^Error: Nothing was removed, as this needs a yes: The /);
      expect(stderr).toContain(' Delete it?\nHint: Add --yes to answer yes.\n');
      return stderr;
    };
    await run(breaking);
    expect(await asks()).toContain(
      `people.csv: 1,200 of 1,500 emails are not sent; after this the same command begins from the start and sends to everybody.`,
    );
    world.clock.advance(24 * 3_600_000);
    await run(line);
    expect(await asks()).toContain(
      'people.csv: of 100 emails nobody knows whether they went out; after this the same command begins',
    );
    await run([...line, '--resend-unknown']);
    expect(await asks()).toContain(
      'people.csv: complete, 1,500 emails; after this the same command sends to everybody again.',
    );
    const journal = join(runsDirectory(world), onlyRun(world), 'journal.sqlite');
    truncateSync(journal, 5000);
    expect(await asks()).toContain(
      `The journal of run ${onlyRun(world)} cannot be read, so nobody knows what was sent; after this the same command begins`,
    );
    expect(await run(forget(onlyRun(world), '--yes'))).toMatchObject({ exitCode: 0 });
    expect(runs(world)).toEqual([]);
  });

  test('means one run: a name that is there, or a beginning that no other has', async () => {
    const { run, world } = await setUp(250, ...Array(9).fill(accept));
    for (const share of ['1/3', '2/3']) await run([...line, '--shard', share]);
    const [first = '', second = ''] = runs(world);
    const whole = first.slice(0, 32);
    const both = await run(forget(whole, '--yes', '--json'));
    expect(both.exitCode).toBe(2);
    expect(errorOf(both).message).toBe(`Several runs begin with ${whole}:\n${first}\n${second}`);
    // The name of a whole run is the beginning of those of its shares.
    mkdirSync(join(runsDirectory(world), whole));
    expect(await run(forget(whole, '--yes'))).toMatchObject({ exitCode: 0 });
    expect(runs(world)).toEqual([first, second]);
    expect(await run(forget(second, '--yes'))).toMatchObject({ exitCode: 0 });
    expect(runs(world)).toEqual([first]);
  });

  test.each([
    ['', /shorter than 8 characters/],
    ['0123456', /"0123456" is shorter than 8 characters/],
    ['complete', /There is no run "complete"/],
    ['preparing-x', /There is no run/],
    ['../../../../people.csv', /There is no run/],
  ])('%j is refused', async (name, said) => {
    const { run, world } = await setUp(3, accept);
    await run(line);
    mkdirSync(join(runsDirectory(world), 'preparing-x'));
    const outcome = await run(forget(name, '--yes', '--json'));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(said);
    expect(runs(world)).toHaveLength(2);
  });

  test('leaves a run alone that another process has', async () => {
    const { run, world } = await setUp(150, accept, down);
    await run(breaking);
    const held = hold(world, onlyRun(world));
    const outcome = await run(forget(onlyRun(world), '--yes', '--json'));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('under way in another process');
    expect(filesOfRun(world)).toEqual(['bodies', 'journal.sqlite', 'run.json']);
    held.close();
    expect(await run(forget(onlyRun(world), '--yes'))).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['people.csv', 'FILE'],
    ['--status', '--status'],
    ['--results r.jsonl --again', '--results, --again'],
    ['--dry-run', '--dry-run'],
  ])('with %s is refused', async (words, named) => {
    const { run, world } = await setUp(3, accept);
    await run(line);
    const outcome = await run(forget(onlyRun(world), '--yes', '--json', ...words.split(' ')));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(`--forget goes without ${named}`);
    expect(runs(world)).toHaveLength(1);
  });

  test('with --sandbox deletes a run of the embedded service', async () => {
    const world = createWorld();
    writeFileSync(join(world.home, 'people.csv'), peopleCsv(3));
    await world.run([...line, '--sandbox']);
    const { stdout } = await world.run('email batch --status --sandbox --quiet');
    const deleted = await world.run([...forget(stdout.trim(), '--yes'), '--sandbox']);
    expect(deleted).toMatchObject({ exitCode: 0, stdout });
    expect((await world.run('email batch --status --sandbox')).stderr).toMatch(/^No runs/);
  });
});

describe('the next run removes', () => {
  test('what was being prepared by a process that is gone, and not by one that is at it', async () => {
    const { run, world } = await setUp(3, accept, accept);
    const directory = runsDirectory(world);
    mkdirSync(join(directory, 'locks'), { recursive: true });
    for (const name of ['preparing-gone', 'preparing-busy']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'bodies'), 'x');
    }
    writeFileSync(join(directory, 'locks', 'preparing-gone'), '');
    const held = hold(world, 'preparing-busy');
    await run(line);
    expect(runs(world).filter((name) => name.startsWith('preparing-'))).toEqual(['preparing-busy']);
    expect(locks(world).filter((name) => name.startsWith('preparing-'))).toEqual([
      'preparing-busy',
    ]);
    held.close();
    await run([...line, '--again']);
    expect(runs(world).filter((name) => name.startsWith('preparing-'))).toEqual([]);
    expect(locks(world)).toEqual(runs(world));
  });

  test('locks of runs whose directory somebody has deleted', async () => {
    const { run, world, file } = await setUp(3, ...Array(4).fill(accept));
    await run(line);
    const first = onlyRun(world);
    file('people.csv', peopleCsv(4));
    await run(line);
    rmSync(join(runsDirectory(world), first), { recursive: true });
    const held = hold(world, first);
    file('people.csv', peopleCsv(5));
    await run(line);
    expect(locks(world)).toEqual([...runs(world), first].toSorted());
    held.close();
    file('people.csv', peopleCsv(6));
    await run(line);
    expect(locks(world)).toEqual(runs(world));
  });
});
