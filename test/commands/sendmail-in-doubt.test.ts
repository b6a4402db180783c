import { describe, expect, test } from 'vitest';
import { losingService } from '../support/losing-service.ts';

const minute = 60_000;
const stdin = [
  ...['From: hello@example.com', 'To: ana@example.org', 'Subject: Report'],
  ...['Message-ID: <1@example.com>', '', 'All is well.', ''],
].join('\n');
const line = 'sendmail --retries 0 ana@example.org';

describe('a message whose response was lost, handed over again with its Message-ID', () => {
  test('is not sent again if the service has its email', async () => {
    const at = await losingService('lose');
    const first = await at.run(line, { stdin });
    expect(first.exitCode).toBe(75);
    expect(first.stderr).toContain('looks for it first');
    at.world.clock.advance(2 * minute);
    const second = await at.run(`${line} --json`, { stdin });
    expect(second.exitCode).toBe(0);
    expect(JSON.parse(second.stdout)).toEqual({ data: [{ emailId: 'em_1' }] });
    expect(at.posts()).toHaveLength(1);
  });

  test('is sent again under its key if the service does not have it', async () => {
    const at = await losingService('ignore');
    await at.run(line, { stdin });
    at.world.clock.advance(2 * minute);
    expect((await at.run(line, { stdin })).exitCode).toBe(0);
    expect(at.lists()).toHaveLength(2);
    const [first, second] = at.posts();
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  test('is to be handed over later if the look fails', async () => {
    const at = await losingService('lose');
    await at.run(line, { stdin });
    at.world.clock.advance(2 * minute);
    at.listStatus = 500;
    expect((await at.run(line, { stdin })).exitCode).toBe(75);
    expect(at.posts()).toHaveLength(1);
  });

  test('is not to be handed over again if the email may belong to another', async () => {
    const at = await losingService('lose');
    await at.run(line, { stdin });
    at.create(at.created[0] ?? {});
    at.world.clock.advance(2 * minute);
    const { exitCode, stderr } = await at.run(line, { stdin });
    expect(exitCode).toBe(69);
    expect(stderr).toContain('may belong to another request');
    expect(at.posts()).toHaveLength(1);
  });

  test('is sent although nothing can be recorded, without a word', async () => {
    const at = await losingService('accept', 'lose');
    const env = { MAILER_STATE_DIR: '/dev/null/x' };
    expect(await at.run(line, { stdin, env })).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await at.run(line, { stdin, env })).stderr).toContain('may deliver it twice');
  });
});

test('a message without a Message-ID is sent anew each time', async () => {
  const at = await losingService('lose');
  const unnamed = stdin.replace(/^Message-ID.*\n/m, '');
  expect((await at.run(line, { stdin: unnamed })).exitCode).toBe(69);
  at.world.clock.advance(2 * minute);
  expect((await at.run(line, { stdin: unnamed })).exitCode).toBe(0);
  expect(at.lists()).toEqual([]);
});
