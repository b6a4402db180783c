import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';

const send = '--sandbox --from hello@example.com --subject Hi --text Hello --yes --quiet';
const people = [
  ...['ana@example.org', 'opened@example.org', 'bounced+1@example.org', 'bounced+2@example.org'],
  ...['rejected@example.org', 'complained@example.org'],
];

async function withRun(): Promise<World> {
  const world = createWorld();
  fileIn(world, 'people.csv', ['to', ...people, 'nobody'].join('\n'));
  await world.run(`email batch people.csv ${send} --skip-invalid`);
  return world;
}

describe('run get --deliveries', () => {
  test('counts the emails, and groups the failures', async () => {
    const world = await withRun();
    world.clock.advance(60_000);
    const outcome = await world.run('run get @last --deliveries --sandbox --json');
    expect(outcome.exitCode).toBe(0);
    const { groups, ...counts } = JSON.parse(outcome.stdout);
    expect(counts).toEqual({
      ...{ run: expect.any(String), emails: 6, delivered: 3, opened: 1, complained: 1 },
      ...{ bounced: 2, failed: 1, waiting: 0, unlisted: 0, unsent: 1 },
    });
    expect(groups).toEqual([
      {
        ...{ status: 'BOUNCED', bounceType: 'Permanent', rows: 2 },
        reason: expect.stringContaining('550 5.1.1 …: no such mailbox'),
        to: ['bounced+1@example.org', 'bounced+2@example.org'],
      },
      expect.objectContaining({ status: 'REJECTED', reason: 'Bad content', rows: 1 }),
      expect.objectContaining({ status: 'COMPLAINED', reason: 'abuse', rows: 1 }),
      expect.objectContaining({ status: 'invalid', rows: 1, to: ['nobody'] }),
    ]);
  });

  test('while they are on their way, they wait', async () => {
    const world = await withRun();
    const { stdout } = await world.run('run get @last --deliveries --sandbox --json');
    expect(JSON.parse(stdout)).toMatchObject({ emails: 6, delivered: 0, waiting: 6 });
  });

  test('a terminal shows the groups, and how to list their rows', async () => {
    const world = await withRun();
    world.clock.advance(60_000);
    const outcome = await world.run('run get @last --deliveries --sandbox', { terminal: 120 });
    expect(outcome.stdout).toContain('no such mailbox');
    const [, flags = ''] =
      /mailer (run get .+ --status BOUNCED --sandbox)/.exec(outcome.stderr) ?? [];
    const rows = await world.run(`${flags} --csv --fields row,to,bounceType`);
    expect(rows.stdout).toBe(
      'row,to,bounceType\r\n3,bounced+1@example.org,Permanent\r\n4,bounced+2@example.org,Permanent\r\n',
    );
  });

  test('--status takes reasons why a row has no email, too', async () => {
    const world = await withRun();
    world.clock.advance(60_000);
    const rows = await world.run('run get @last --status invalid,rejected --sandbox --jsonl');
    expect(
      rows.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { row: 5, status: 'REJECTED' },
      { row: 7, status: 'invalid', emailId: null },
    ]);
    const wrong = await world.run('run get @last --status bounce --sandbox');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain('Did you mean bounced?');
  });
});

describe('run watch', () => {
  test('ends when no email waits any more, with 9 if some did not arrive', async () => {
    const world = await withRun();
    const outcome = await world.run('run watch @last --sandbox');
    expect(outcome.exitCode).toBe(9);
    expect(outcome.stderr).toMatch(/^\d of 6 delivered, .*\d waiting$/m);
    expect(outcome.stderr).toContain('3 of 6 emails of run');
    expect(outcome.stdout).toContain('bounced\t2\n');
  });

  // The service ranks RENDERING_FAILURE below QUEUED, so that its list never shows it.
  test('ends for emails that failed to render, which the list shows as queued', async () => {
    const world = createWorld();
    const rows = Array.from({ length: 30 }, (_, at) => `rendering-failure+${at}@example.org`);
    fileIn(world, 'people.csv', ['to', ...rows, 'ana@example.org'].join('\n'));
    await world.run(`email batch people.csv ${send}`);
    const outcome = await world.run('run watch @last --sandbox --wait-timeout 10m --json');
    expect(outcome.exitCode).toBe(9);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ delivered: 1, failed: 30, waiting: 0 });
    const failed = await world.run('run get @last --status rendering_failure --sandbox --quiet');
    expect(failed.stdout.trim().split('\n')).toHaveLength(30);
    const again = await world.run('run retry @last --status failed --sandbox --dry-run');
    expect(again.stderr).toContain('30 of 31 rows will be sent again');
  });

  test('is 10 with what it saw when the time is up', async () => {
    const world = createWorld();
    fileIn(world, 'later.csv', 'to\nana@example.org\n');
    await world.run(`email batch later.csv ${send} --scheduled-at 2026-02-01T00:00Z`);
    const outcome = await world.run('run watch @last --sandbox --wait-timeout 1m --json');
    expect(outcome.exitCode).toBe(10);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ emails: 1, waiting: 1 });
  });
});
