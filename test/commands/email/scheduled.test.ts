import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const createdAt = '2026-01-15T10:00:00.000Z';
const scheduledAt = '2026-01-16T09:00:00.000Z';

/** As live servers return one email and a list: only the list has status, time and copies. */
const email = {
  ...{ id: 'em_1', teamId: 1, to: ['a@example.org'], from: 'b@example.com', subject: 'Hi' },
  ...{ html: null, text: 'Hello', createdAt, updatedAt: createdAt, emailEvents: [] },
};
const listed = {
  ...email,
  ...{ cc: ['c@example.org'], bcc: [], replyTo: [], latestStatus: 'SCHEDULED', scheduledAt },
};
const list = (row: object) => ({ body: { data: [row], count: 1 } });

async function scheduledInSandbox() {
  const world = createWorld();
  const { stdout } = await world.run(
    'email send --to a@example.org --from hello@example.com --subject Hi --text Hello --scheduled-at 2026-01-16T09:00Z --sandbox -q',
  );
  return { world, id: stdout.trim() };
}

describe('email get, before anything is reported', () => {
  test('has status and time from the list, in a pipe as ISO 8601', async () => {
    const { run, service } = await connected({ body: email }, list(listed));
    const { exitCode, stdout, stderr } = await run('email get em_1');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(
      `id\tem_1\nlatestStatus\tSCHEDULED\nscheduledAt\t${scheduledAt}\nfrom\tb@example.com\n`,
    );
    expect(stdout).toContain('\ncc\tc@example.org\n');
    expect(stdout).not.toMatch(/^(bcc|replyTo)\t/m);
    expect(service.requests).toHaveLength(2);
  });

  test('has them relative and local on a terminal', async () => {
    const { world, id } = await scheduledInSandbox();
    const line = `email get ${id} --sandbox --no-color --timezone Europe/Berlin`;
    const { stdout } = await world.run(line, { terminal: 80 });
    expect(stdout).toMatch(/^Status +SCHEDULED$/m);
    expect(stdout).toMatch(/^Scheduled +in 23 hours, .*10:00/m);
    expect(stdout).not.toMatch(/^(Cc|Bcc|Reply-To) /m);
  });

  test('has them as fields', async () => {
    const { run } = await connected({ body: email }, list(listed));
    const { stdout } = await run('email get em_1 --json --fields status,scheduledAt');
    expect(JSON.parse(stdout)).toEqual({ status: 'SCHEDULED', scheduledAt });
  });

  test('is queued, and no longer scheduled', async () => {
    const { run } = await connected({ body: email }, list({ ...listed, latestStatus: 'QUEUED' }));
    const { stdout } = await run('email get em_1');
    expect(stdout).toContain('latestStatus\tQUEUED\nfrom\t');
  });

  test('is shown without them where the list cannot be fetched', async () => {
    const { run } = await connected({ body: email }, { status: 403, body: { error: 'no' } });
    const { exitCode, stdout, stderr } = await run('email get em_1');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^id\tem_1\nfrom\t/);
  });

  test.each(['--json', '-q'])('with %s is the response alone, and one request', async (flag) => {
    const { run, service } = await connected({ body: email });
    const { stdout } = await run(`email get em_1 ${flag}`);
    expect(stdout).toBe(flag === '-q' ? 'em_1\n' : `${JSON.stringify(email)}\n`);
    expect(service.requests).toHaveLength(1);
  });
});

describe('email list', () => {
  test.each([80, 120])(
    'on a terminal of %i columns has a column for the time',
    async (terminal) => {
      const { world } = await scheduledInSandbox();
      const { stdout } = await world.run('email list --sandbox --no-color', { terminal });
      const [header, first, second] = stdout.split('\n');
      expect(header).toMatch(/^ID +STATUS +TO +SUBJECT +CREATED +SCHEDULED$/);
      expect(first).toMatch(/ SCHEDULED .* in 23 hours/);
      expect(second).toMatch(/ago/);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
        terminal,
      );
    },
  );

  test('has none where nothing is scheduled', async () => {
    const { stdout } = await createWorld().run('email list --sandbox', { terminal: 120 });
    expect(stdout).not.toContain('SCHEDULED');
  });

  test('in a pipe and in CSV has it always: columns do not come and go', async () => {
    const { world } = await scheduledInSandbox();
    for (const run of [world, createWorld()]) {
      const piped = await run.run('email list --sandbox');
      expect(piped.stdout).toMatch(/^id\tlatestStatus\tto\tsubject\tcreatedAt\tscheduledAt\n/);
    }
    const { stdout } = await world.run('email list --sandbox --csv --fields scheduled');
    expect(stdout).toMatch(/^scheduled\r\n2026-01-16T09:00:00\.000Z\r\n/);
  });
});
