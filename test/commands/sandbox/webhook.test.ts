import { expect, test } from 'vitest';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

test('sandbox webhook add, list and delete', async () => {
  const world = createWorld();
  const add = 'sandbox webhook add localhost:3000/hook --events email.sent --json';
  const added = await world.run(`${add} --test`);
  expect(added).toMatchObject({ exitCode: 0 });
  expect(added.stderr).toContain('whsec_sandbox_test');
  const { id } = JSON.parse(added.stdout);
  const listed = await world.run('sandbox webhook list --json');
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id, url: 'http://localhost:3000/hook', events: ['email.sent'], enabled: true, waiting: 1 },
  ]);
  expect(listed.stdout).not.toContain('whsec');
  const log = await world.run('sandbox webhook log --json');
  expect(JSON.parse(log.stdout)).toMatchObject([
    { webhookId: id, type: 'webhook.test', attempts: 0, status: null, data: { test: true } },
  ]);
  // Who resets the data still wants calls.
  await world.run('sandbox reset --yes');
  expect(await world.run(`sandbox webhook delete ${id}`)).toMatchObject({ exitCode: 0 });
  expect(await world.run(`sandbox webhook delete ${id}`)).toMatchObject({ exitCode: 4 });
});

test('webhook get and replay know the calls of the sandbox', async () => {
  const handler = await startRecorder({});
  const world = createWorld();
  await world.run('sandbox webhook add localhost:3000/hook --test');
  const [{ id }] = JSON.parse((await world.run('sandbox webhook log --json')).stdout);
  const shown = JSON.parse((await world.run(`webhook get ${id} --json`)).stdout);
  expect(shown).toMatchObject({
    ...{ id, call: id, type: 'webhook.test', attempt: 1, status: null },
    forwardedTo: 'http://localhost:3000/hook',
  });
  expect(JSON.parse(shown.body)).toMatchObject({ id, type: 'webhook.test', data: { test: true } });
  const secret = { MAILER_WEBHOOK_SECRET: 'whsec_sandbox_test' };
  const replayed = await world.run(`webhook replay ${id} --to ${handler.url}`, { env: secret });
  expect(replayed).toMatchObject({ exitCode: 0 });
  expect(handler.requests[0]?.body).toBe(shown.body);
  expect(JSON.parse((await world.run('webhook log --json')).stdout)).toEqual([shown]);
  const none = await world.run('webhook get call_nothing');
  expect(none).toMatchObject({ exitCode: 4 });
  expect(none.stderr).toContain('The sandbox has no such call');
});

test('a secret of its own is not told', async () => {
  const world = createWorld({ MAILER_WEBHOOK_SECRET: 'whsec_0123456789abcdef' });
  const { exitCode, stdout, stderr } = await world.run('sandbox webhook add localhost:3000');
  expect(exitCode).toBe(0);
  expect(stdout + stderr).not.toContain('whsec');
});

test.each(['example.com/hook', 'localhost:1 --events email.read'])(
  'sandbox webhook add %s is an error',
  async (words) => {
    expect(await createWorld().run(`sandbox webhook add ${words}`)).toMatchObject({ exitCode: 2 });
  },
);

test('another sandbox in MAILER_BASE_URL is named, because its data are not those that are shown', async () => {
  const env = { MAILER_BASE_URL: 'http://localhost:4321/api' };
  const { exitCode, stderr } = await createWorld().run('sandbox webhook log', { env });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('MAILER_BASE_URL is http://localhost:4321/api, but this is about');
  const remote = { MAILER_BASE_URL: 'https://mail.example.com/api' };
  expect((await createWorld().run('sandbox webhook log', { env: remote })).stderr).not.toContain(
    'MAILER_BASE_URL',
  );
});
