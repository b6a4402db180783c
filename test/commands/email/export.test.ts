import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Connected } from '../../support/connected.ts';
import { bounce, mailboxService, type StoredEmail, stored } from '../../support/mailbox-service.ts';

/** Emails, the newest first, each some minutes older than the one before it; three of the same moment. */
function emails(count: number): StoredEmail[] {
  return Array.from({ length: count }, (_, index) =>
    stored(`em_${count - index}`, {
      createdAt: new Date(
        Date.parse('2026-01-15T00:00:00Z') - Math.floor(index / 3) * 60_000,
      ).toISOString(),
      emailEvents: [
        {
          status: 'DELIVERED',
          createdAt: '2026-01-15T00:00:09.000Z',
          data: { smtpResponse: '250 ok' },
        },
      ],
    }),
  );
}

const rowsIn = ({ world }: Connected, name: string) =>
  readFileSync(join(world.home, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const idsIn = (service: Connected, name: string) => rowsIn(service, name).map(({ id }) => id);

test('each email with its events, as JSON Lines', async () => {
  const service = await mailboxService(emails(3));
  const outcome = await service.run('email export --output all.jsonl --json');
  expect(outcome).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(outcome.stdout)).toMatchObject({ written: 3, changed: 0, scanned: 3 });
  expect(rowsIn(service, 'all.jsonl')[0]).toMatchObject({
    ...{ id: 'em_3', text: 'Hello', latestStatus: 'DELIVERED', lastEvent: 'DELIVERED' },
    ...{ reason: '250 ok', emailEvents: [{ status: 'DELIVERED' }] },
  });
  expect(statSync(join(service.world.home, 'all.jsonl')).mode & 0o077).toBe(0);
  expect(readdirSync(service.world.home)).toEqual(['all.jsonl']);
});

test('CSV, with filters', async () => {
  const list = emails(4);
  Object.assign(list[2] ?? {}, {
    latestStatus: 'BOUNCED',
    emailEvents: [bounce('Permanent', 'no such mailbox; "gone"', 'ana@example.org')],
  });
  const service = await mailboxService(list);
  const outcome = await service.run('email export --failed --permanent --output failed.csv -q');
  expect(outcome).toEqual({ exitCode: 0, stdout: 'failed.csv\n', stderr: '' });
  const rows = parse(readFileSync(join(service.world.home, 'failed.csv')), { columns: true });
  expect(rows).toMatchObject([
    {
      id: 'em_2',
      to: 'ana@example.org',
      bounceType: 'Permanent',
      diagnostic: 'no such mailbox; "gone"',
    },
  ]);
  expect(service.requests().filter((request) => !request.includes('?'))).toHaveLength(1);
});

describe('a stop', () => {
  test.each([0, 1, 49, 50, 51, 119])(
    'at email %i is resumed by the same command',
    async (index) => {
      const list = emails(120);
      const service = await mailboxService(list);
      const broken = list[index];
      if (broken === undefined) throw new Error('There is no such email');
      broken.isBroken = true;
      const flags = '--output all.jsonl --retries 0';
      const stopped = await service.run(`email export ${flags}`);
      expect(stopped.exitCode).toBe(7);
      const isBegun = index >= 50;
      expect(stopped.stderr.includes('all.jsonl.partial. To resume, run the same command.')).toBe(
        isBegun,
      );
      expect(existsSync(join(service.world.home, 'all.jsonl.partial'))).toBe(isBegun);
      expect(existsSync(join(service.world.home, 'all.jsonl'))).toBe(false);
      broken.isBroken = false;
      // Emails that are newer than the export began belong to the next one.
      if (index >= 50) list.unshift(stored('em_new', { createdAt: '2026-01-15T01:00:00.000Z' }));
      const done = await service.run(`email export ${flags}`);
      expect(done.exitCode).toBe(0);
      expect(idsIn(service, 'all.jsonl')).toEqual(emails(120).map(({ id }) => id));
      expect(readdirSync(service.world.home)).toEqual(['all.jsonl']);
    },
  );

  test('half a line that was written is written again', async () => {
    const list = emails(120);
    const service = await mailboxService(list);
    const [broken] = list.slice(70);
    if (broken) broken.isBroken = true;
    await service.run('email export --output all.jsonl --retries 0');
    writeFileSync(join(service.world.home, 'all.jsonl.partial'), '{"id":"em_', { flag: 'a' });
    if (broken) broken.isBroken = false;
    await service.run('email export --output all.jsonl');
    expect(idsIn(service, 'all.jsonl')).toEqual(emails(120).map(({ id }) => id));
  });

  test('is not resumed without what it wrote: the error says how to start over', async () => {
    const list = emails(120);
    const service = await mailboxService(list);
    const [broken] = list.slice(70);
    if (broken) broken.isBroken = true;
    await service.run('email export --output all.jsonl --retries 0');
    const path = join(service.world.home, 'all.jsonl.partial');
    rmSync(path);
    const { exitCode, stderr } = await service.run('email export --output all.jsonl');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${path} does not exist`);
    expect(stderr).toContain(`To start over, delete ${path}.json.`);
  });

  test.each(['--to ana@example.org', '--failed'])(
    'is not resumed with other filters: %s',
    async (filter) => {
      const list = emails(120);
      const service = await mailboxService(list);
      const [broken] = list.slice(70);
      if (broken) broken.isBroken = true;
      await service.run('email export --output all.jsonl --retries 0');
      const other = await service.run(`email export --output all.jsonl ${filter}`);
      expect(other.exitCode, other.stderr).toBe(2);
      expect(other.stderr).toContain('started with other flags');
    },
  );
});

test('emails that shift to an earlier page, because others were deleted, are not missed', async () => {
  const list = emails(150);
  let requests = 0;
  const service = await mailboxService(list);
  Object.defineProperty(list[49], 'isGone', {
    get: () => {
      // Once, while the first page is exported.
      if (requests++ === 0) list.splice(0, 20);
      return false;
    },
  });
  await service.run('email export --output all.jsonl');
  expect(new Set(idsIn(service, 'all.jsonl'))).toEqual(new Set(emails(150).map(({ id }) => id)));
});

describe('--since-last', () => {
  const later = (service: Connected) => service.world.clock.advance(24 * 3_600_000);

  test('adds what is new, and what has changed within the overlap', async () => {
    const list = [
      stored('em_3', { createdAt: '2026-01-14T00:00:00.000Z' }),
      stored('em_2', { createdAt: '2026-01-10T00:00:00.000Z' }),
      stored('em_1', { createdAt: '2026-01-01T00:00:00.000Z' }),
    ];
    const service = await mailboxService(list);
    const line = 'email export --since-last --output all.jsonl --json';
    expect(JSON.parse((await service.run(line)).stdout)).toMatchObject({ written: 3 });
    later(service);
    list.unshift(stored('em_4', { createdAt: '2026-01-15T12:00:00.000Z' }));
    for (const email of list.slice(2)) email.latestStatus = 'BOUNCED';
    const { stdout } = await service.run(line);
    // em_1 is more than seven days older than the newest one of the last export.
    expect(JSON.parse(stdout)).toMatchObject({ written: 2, changed: 1, scanned: 3 });
    expect(idsIn(service, 'all.jsonl')).toEqual(['em_3', 'em_2', 'em_1', 'em_4', 'em_2']);
    expect(JSON.parse((await service.run(line)).stdout)).toMatchObject({ written: 0 });
    const far = JSON.parse((await service.run(`${line} --overlap 20d`)).stdout);
    expect(far).toMatchObject({ written: 1, changed: 1 });
  });

  test('CSV keeps one header', async () => {
    const list = emails(2);
    const service = await mailboxService(list);
    await service.run('email export --since-last --output all.csv');
    list.unshift(stored('em_3', { createdAt: '2026-01-15T02:00:00.000Z' }));
    await service.run('email export --since-last --output all.csv');
    const rows = parse<{ id: string }>(readFileSync(join(service.world.home, 'all.csv')), {
      columns: true,
    });
    expect(rows.map(({ id }) => id)).toEqual(['em_2', 'em_1', 'em_3']);
  });

  test('each export is a file of its own in a directory', async () => {
    const list = emails(2);
    const service = await mailboxService(list);
    const line = 'email export --since-last --output archive/ --quiet';
    const first = (await service.run(line)).stdout.trim();
    list.unshift(stored('em_3', { createdAt: '2026-01-15T02:00:00.000Z' }));
    const second = (await service.run(line)).stdout.trim();
    expect([first, second]).toEqual([
      'archive/emails-2026-01-15T10-00-00-000Z.jsonl',
      'archive/emails-2026-01-15T10-00-00-001Z.jsonl',
    ]);
    expect(idsIn(service, second)).toEqual(['em_3']);
  });

  test.each(['csv', 'jsonl'])(
    'an earlier export that cannot be read is named, as %s',
    async (format) => {
      const service = await mailboxService(emails(1));
      const name = `emails-2026-01-01T00-00-00-000Z.${format}`;
      mkdirSync(join(service.world.home, 'archive'));
      symlinkSync('gone', join(service.world.home, 'archive', name));
      const outcome = await service.run(
        `email export --since-last --output archive --format ${format}`,
      );
      expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
      expect(outcome.stderr).toContain(`${name} does not exist`);
    },
  );

  test('an email without a creation time is known to the next export', async () => {
    const list = [stored('em_2'), { ...stored('em_1'), createdAt: null } as unknown as StoredEmail];
    const service = await mailboxService(list);
    for (const name of ['all.jsonl', 'all.csv']) {
      const line = `email export --since-last --output ${name} --json`;
      expect(JSON.parse((await service.run(line)).stdout)).toMatchObject({ written: 2 });
      const again = await service.run(line);
      expect(JSON.parse(again.stdout)).toMatchObject({ written: 0 });
    }
  });

  test('of a directory has the latest state of an email, and what was killed before it had its name is written anew', async () => {
    const list = emails(2);
    const service = await mailboxService(list);
    const line = 'email export --since-last --output archive/ --json';
    await service.run(line);
    for (const status of ['BOUNCED', 'COMPLAINED']) {
      const [email] = list;
      if (email) email.latestStatus = status;
      later(service);
      expect(JSON.parse((await service.run(line)).stdout)).toMatchObject({ changed: 1 });
      expect(JSON.parse((await service.run(line)).stdout)).toMatchObject({ written: 0 });
    }
    const directory = join(service.world.home, 'archive');
    const partial = 'emails-2026-01-20T10-00-00-000Z.jsonl.partial';
    writeFileSync(join(directory, partial), '{"id":"em_');
    const { file } = JSON.parse((await service.run(line)).stdout);
    expect(file).toBe(join(directory, partial.replace('.partial', '')));
    expect(readdirSync(directory)).not.toContain(partial);
  });

  test('a stop of an addition leaves the file as it is', async () => {
    const list = emails(3);
    const service = await mailboxService(list);
    const line = 'email export --since-last --output all.jsonl --retries 0';
    await service.run(line);
    const before = readFileSync(join(service.world.home, 'all.jsonl'), 'utf8');
    const next = Array.from({ length: 80 }, (_, index) =>
      stored(`em_new${index}`, {
        createdAt: `2026-01-15T03:${String(59 - (index % 60)).padStart(2, '0')}:00.000Z`,
      }),
    );
    next.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    list.unshift(...next);
    const [broken] = list.slice(60);
    if (broken) broken.isBroken = true;
    expect((await service.run(line)).exitCode).toBe(7);
    expect(readFileSync(join(service.world.home, 'all.jsonl'), 'utf8')).toBe(before);
    if (broken) broken.isBroken = false;
    expect((await service.run(line)).exitCode).toBe(0);
    const ids = idsIn(service, 'all.jsonl');
    expect(ids).toHaveLength(83);
    expect(new Set(ids).size).toBe(83);
  });
});

describe('bad input', () => {
  test.each([
    ['', '--output is missing'],
    ['--output x.jsonl --overlap 2d', '--overlap needs --since-last'],
    [
      '--output x.jsonl --since-last --since 2d',
      '--since-last and --since cannot be used together',
    ],
    ['--output no/such/x.jsonl', 'cannot be written'],
    ['--output -', '--output: - is not the name of a file'],
    ['--output there.jsonl', 'Replace there.jsonl?'],
    ['--output there.jsonl --since-last', 'is not an export of emails'],
    ['--output x.jsonl --format xml', '--format: "xml" is not one of jsonl, csv'],
  ])('%s', async (flags, message) => {
    const service = await mailboxService(emails(1));
    mkdirSync(join(service.world.home, 'there'));
    writeFileSync(join(service.world.home, 'there.jsonl'), '{"to":"ana@example.org"}\n');
    const outcome = await service.run(`email export ${flags}`);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).toContain(message);
    expect(service.requests()).toEqual([]);
  });
});
