import { existsSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, test, vi } from 'vitest';
import { patience } from '../../../support/patience.ts';
import { createWorld } from '../../../support/run.ts';
import { clientOf } from '../../../support/senders.ts';
import { type Serving, serveIn } from '../../../support/serving.ts';
import { type Received, startCatcher } from '../../../support/smtp.ts';

const message = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';

/** Sends an email as every client does, and returns its id. */
async function post(served: Serving, fields: object): Promise<string> {
  const email = { from: 'hello@example.com', subject: 'Hi', text: 'Hello', ...fields };
  const init = { method: 'POST', body: JSON.stringify(email) };
  const { status, body } = await clientOf(served).request('/emails', init);
  expect(status).toBe(200);
  return Object(body).emailId;
}

/** The ids of the emails in messages, from their Message-ID. */
function idsOf(received: readonly Received[]): string[] {
  return received.map(({ source }) => source.match(/^Message-ID:\s+<([^@]+)@/m)?.[1] ?? '');
}

/** The URL of a port on which nothing listens. */
async function nobody(): Promise<string> {
  const catcher = await startCatcher();
  await catcher.close();
  return catcher.url;
}

describe('sandbox start --smtp', () => {
  test('delivers all mail, also of commands without the server, and never shows the password', async () => {
    const catcher = await startCatcher({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(username === 'ana' && password === 's3cret' ? null : new Error('No'), { user: 'ana' }),
    });
    const world = createWorld();
    const url = catcher.url.replace('//', '//ana:s3cret@');
    const served = await serveIn(world, `--smtp ${url}?logger=true&debug=true`);
    const emailId = await post(served, {
      to: ['Ana <ana@example.org>'],
      bcc: 'secret@example.org',
      subject: 'Grüße',
      html: '<p>Hello</p>',
      attachments: [{ filename: 'ü.txt', content: 'eA==' }],
    });
    await vi.waitFor(() => expect(catcher.received).toHaveLength(1), patience);
    const wait = await world.run(`email get ${emailId} --wait --json`, { env: served.env });
    expect(wait.exitCode).toBe(0);
    expect(JSON.parse(wait.stdout)).toMatchObject({
      emailEvents: expect.arrayContaining([
        expect.objectContaining({
          status: 'DELIVERED',
          data: expect.objectContaining({ smtpResponse: expect.stringMatching(/^250 /) }),
        }),
      ]),
    });
    expect(catcher.received).toMatchObject([
      { from: 'hello@example.com', to: ['ana@example.org', 'secret@example.org'] },
    ]);
    const parsed = await PostalMime.parse(catcher.received[0]?.source ?? '');
    expect(parsed).toMatchObject({ subject: 'Grüße', attachments: [{ filename: 'ü.txt' }] });

    const other = await world.run(`email send --sandbox ${message}`);
    const both = [emailId, other.stdout.trim()];
    await vi.waitFor(() => expect(idsOf(catcher.received)).toEqual(both), patience);

    const { stdout, stderr } = await served.stop();
    expect(stderr).toContain(`Mail is sent to the SMTP server 127.0.0.1:${catcher.port}.\n`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout + stderr + wait.stderr).not.toContain('s3cret');
  });

  test('reads the URL from the environment, so that no list of processes shows it', async () => {
    const catcher = await startCatcher();
    const env = { MAILER_SANDBOX_SMTP_URL: catcher.url };
    await post(await serveIn(createWorld(env)), { to: 'ana@example.org' });
    await vi.waitFor(() => expect(catcher.received).toHaveLength(1), patience);
  });

  test.each([
    ['http://ana:s3cret@127.0.0.1:1025', 'a flag'],
    ['smtp://', 'the environment'],
    ['ana:s3cret@127.0.0.1', 'a flag'],
    ['smtp://ana:s3cret@127.0.0.1:port', 'the environment'],
  ])('refuses %s of %s without repeating it', async (url, from) => {
    const world = createWorld();
    const [flags, env] =
      from === 'a flag' ? [['--smtp', url], {}] : [[], { MAILER_SANDBOX_SMTP_URL: url }];
    const outcome = await world.run(['sandbox', 'start', '--port', '0', ...flags], { env });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('is not the URL of an SMTP server');
    expect(outcome.stderr).not.toContain('s3cret');
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  });
});

test('an unreachable server is reported, and so is waiting mail, which the next --smtp sends', async () => {
  const world = createWorld();
  const url = await nobody();
  const first = await serveIn(world, `--smtp ${url}`);
  const emailId = await post(first, { to: 'ana@example.org' });
  const statuses = async () =>
    (await world.run(`email get ${emailId} --sandbox --json`)).stdout.match(/"status":"\w+"/g);
  await vi.waitFor(async () => expect(String(await statuses())).toContain('DELAYED'), patience);
  const { stderr, exitCode } = await first.stop();
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(
    /Warning: The SMTP server 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/,
  );
  const waits = '1 email waits for an SMTP server until the sandbox is started with --smtp.\n';
  expect(stderr).toContain(`Warning: ${waits}`);
  const status = await world.run('sandbox status --json');
  expect(JSON.parse(status.stdout)).toMatchObject({ running: false, waiting: 1 });
  expect((await world.run('sandbox status')).stderr).toBe(waits);

  const second = await serveIn(world);
  const simulated = await post(second, { to: 'bo@example.org' });
  const wait = `email get ${simulated} --wait --quiet`;
  expect((await world.run(wait, { env: second.env })).exitCode).toBe(0);
  expect((await second.stop()).stderr).toContain(`Warning: ${waits}`);

  const catcher = await startCatcher({ port: Number(new URL(url).port) });
  await serveIn(world, `--smtp ${catcher.url}`);
  await vi.waitFor(() => expect(idsOf(catcher.received)).toEqual([emailId]), patience);
});

test('a batch is delivered over a few connections while the service responds', async () => {
  const catcher = await startCatcher();
  const served = await serveIn(createWorld(), `--smtp ${catcher.url}`);
  const emails = Array.from({ length: 30 }, (_, n) => ({
    from: 'hello@example.com',
    to: `n${n}@example.org`,
    subject: `Number ${n}`,
    text: 'Hello',
  }));
  const init = { method: 'POST', body: JSON.stringify(emails) };
  const { body } = await clientOf(served).request('/emails/batch', init);
  const ids = Object(body).data.map(({ emailId }: { emailId: string }) => emailId);
  await vi.waitFor(async () => {
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    expect(catcher.received).toHaveLength(30);
  }, patience);
  expect(idsOf(catcher.received).toSorted()).toEqual(ids.toSorted());
  expect(catcher.connections()).toBeLessThanOrEqual(5);
});
