import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import PostalMime from 'postal-mime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, finished, type Place } from '../../support/process.ts';
import { type ServedSandbox, serveSandbox } from '../../support/served.ts';
import { type Received, startCatcher } from '../../support/smtp.ts';

const message = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';

/** Milliseconds, enough for a busy machine. */
const patience = { timeout: 60_000, interval: 20 };

function serveWithSmtp(place: Place, url: string, env: Record<string, string> = {}) {
  return serveSandbox(place, ['--port', '0', '--smtp', url], { env });
}

/** Sends an email as every client does, and returns its id. */
async function post({ baseUrl, apiKey }: ServedSandbox, body: object): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/emails`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ from: 'hello@example.com', subject: 'Hi', text: 'Hello', ...body }),
  });
  // The reply to a send; anything else fails below.
  const { emailId } = (await response.json()) as { emailId?: string };
  if (emailId === undefined) throw new Error(`not accepted: ${response.status}`);
  return emailId;
}

/** The ids of the emails in messages, from their Message-ID. */
function idsOf(received: readonly Received[]): string[] {
  return received.map(({ source }) => source.match(/^Message-ID:\s+<([^@]+)@/m)?.[1] ?? '');
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('sandbox start --smtp', () => {
  test('delivers all mail, and never shows the password', async () => {
    const catcher = await startCatcher({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(username === 'ana' && password === 's3cret' ? null : new Error('No'), { user: 'ana' }),
    });
    const place = createPlace();
    const url = catcher.url.replace('//', '//ana:s3cret@');
    const served = await serveWithSmtp(place, `${url}?logger=true&debug=true`);
    const emailId = await post(served, {
      to: ['Ana <ana@example.org>'],
      bcc: 'secret@example.org',
      subject: 'Grüße',
      html: '<p>Hello</p>',
      attachments: [{ filename: 'ü.txt', content: 'eA==' }],
    });
    const env = served.env;
    const wait = await place.run(`email get ${emailId} --wait --json`, { env });
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

    const other = await runHere(place, `email send --sandbox ${message}`);
    await vi.waitFor(
      () => expect(idsOf(catcher.received)).toEqual([emailId, other.stdout.trim()]),
      patience,
    );

    served.process.kill('SIGTERM');
    const { stdout, stderr, exitCode } = await finished(served.process);
    expect(exitCode).toBe(143);
    expect(stderr).toContain(`Mail is sent to the SMTP server 127.0.0.1:${catcher.port}.\n`);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout + stderr + wait.stderr).not.toContain('s3cret');
  });

  test('reads the URL from the environment, so that no list of processes shows it', async () => {
    const catcher = await startCatcher();
    const served = await serveSandbox(createPlace({ MAILER_SANDBOX_SMTP_URL: catcher.url }));
    await post(served, { to: 'ana@example.org' });
    await vi.waitFor(() => expect(catcher.received).toHaveLength(1), patience);
  });

  test.each([
    ['http://ana:s3cret@127.0.0.1:1025', 'a flag'],
    ['smtp://', 'the environment'],
    ['ana:s3cret@127.0.0.1', 'a flag'],
    ['smtp://ana:s3cret@127.0.0.1:port', 'the environment'],
  ])('refuses %s of %s without repeating it', async (url, from) => {
    const place = createPlace();
    const [flags, env] =
      from === 'a flag' ? [['--smtp', url], {}] : [[], { MAILER_SANDBOX_SMTP_URL: url }];
    const outcome = await place.run(['sandbox', 'start', '--port', '0', ...flags], { env });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('is not the URL of an SMTP server');
    expect(outcome.stderr).not.toContain('s3cret');
    expect(existsSync(place.sandboxDirectory)).toBe(false);
  });
});

describe('an unreachable server', () => {
  test('is reported; waiting mail is reported too, and sent with the next --smtp', async () => {
    const place = createPlace();
    const port = await freePort();
    const first = await serveWithSmtp(place, `smtp://127.0.0.1:${port}`);
    const emailId = await post(first, { to: 'ana@example.org' });
    const statuses = async () =>
      (await runHere(place, `email get ${emailId} --sandbox --json`)).stdout.match(
        /"status": ?"\w+"/g,
      );
    await vi.waitFor(async () => expect(String(await statuses())).toContain('DELAYED'), patience);
    first.process.kill('SIGINT');
    const { stderr, exitCode } = await finished(first.process);
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      /Warning: The SMTP server 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/,
    );
    const waits =
      'Warning: 1 email waits for an SMTP server until the sandbox is started with --smtp';
    expect(stderr).toContain(waits);

    const second = await serveSandbox(place);
    const simulated = await post(second, { to: 'bo@example.org' });
    const wait = `email get ${simulated} --wait --quiet`;
    expect((await place.run(wait, { env: second.env })).exitCode).toBe(0);
    second.process.kill('SIGINT');
    expect((await finished(second.process)).stderr).toContain(waits);

    const catcher = await startCatcher({ port });
    await serveWithSmtp(place, catcher.url);
    await vi.waitFor(() => expect(idsOf(catcher.received)).toEqual([emailId]), patience);
  });
});

describe('the end of a server', () => {
  test('waits a limited time for mail in transit, and leaves it to the next', async () => {
    const silent = createServer((socket) => socket.write('220 silent\r\n'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.close();
    });
    // As above.
    const { port } = silent.address() as AddressInfo;
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    const place = createPlace();
    const first = await serveWithSmtp(place, `smtp://127.0.0.1:${port}`);
    const emailId = await post(first, { to: 'ana@example.org' });
    await connected;
    first.process.kill('SIGINT');
    const { exitCode, stderr } = await finished(first.process);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('1 email waits');
    const catcher = await startCatcher();
    await serveWithSmtp(place, catcher.url);
    await vi.waitFor(() => expect(idsOf(catcher.received)).toEqual([emailId]), patience);
  });

  test('during its work loses no accepted mail', async () => {
    const place = createPlace();
    const seen: Received[] = [];
    let kill = () => {};
    const catcher = await startCatcher({
      onMessage: (received) => {
        seen.push(received);
        if (seen.length % 10 === 0) kill();
        return null;
      },
    });
    const accepted: string[] = [];
    for (let round = 0; round < 3; round++) {
      const served = await serveWithSmtp(place, catcher.url);
      const before = seen.length;
      kill = () => {
        if (seen.length > before) served.process.kill('SIGKILL');
      };
      const client = async () => {
        for (let sent = 0; sent < 12; sent++)
          accepted.push(await post(served, { to: `n${accepted.length}@example.org` }));
      };
      // The clients end when their server does, or before.
      await Promise.allSettled(Array.from({ length: 4 }, client));
      await finished(served.process);
    }
    kill = () => {};
    expect(accepted.length).toBeGreaterThan(20);
    await serveWithSmtp(place, catcher.url);
    await vi.waitFor(() => {
      const arrived = new Set(idsOf(seen));
      expect(accepted.filter((id) => !arrived.has(id))).toEqual([]);
    }, patience);
  });
});

test('sandbox status reports mail that waits since the server was killed', async () => {
  const place = createPlace();
  const served = await serveWithSmtp(place, `smtp://127.0.0.1:${await freePort()}`);
  const status = async () => await runHere(place, 'sandbox status --json');
  expect(JSON.parse((await status()).stdout)).toMatchObject({ waiting: 0 });
  served.process.kill('SIGKILL');
  await finished(served.process);
  await runHere(place, `email send --sandbox ${message}`);
  expect(JSON.parse((await status()).stdout)).toMatchObject({ running: false, waiting: 1 });
  const { stderr } = await runHere(place, 'sandbox status');
  expect(stderr).toBe(
    '1 email waits for an SMTP server until the sandbox is started with --smtp.\n',
  );
});

test('hundreds of emails are delivered while the service responds', async () => {
  const catcher = await startCatcher();
  const served = await serveWithSmtp(createPlace(), catcher.url);
  const headers = { Authorization: `Bearer ${served.apiKey}`, 'Content-Type': 'application/json' };
  const ids: string[] = [];
  for (let batch = 0; batch < 2; batch++) {
    const body = Array.from({ length: 100 }, (_, n) => ({
      from: 'hello@example.com',
      to: `n${batch}.${n}@example.org`,
      subject: `Number ${n}`,
      text: 'Hello',
    }));
    const url = `${served.baseUrl}/v1/emails/batch`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    // The service's reply to a batch.
    const { data } = (await response.json()) as { data: { emailId: string }[] };
    ids.push(...data.map(({ emailId }) => emailId));
  }
  await vi.waitFor(() => expect(catcher.received).toHaveLength(200), patience);
  expect(idsOf(catcher.received).toSorted()).toEqual(ids.toSorted());
  expect(catcher.connections()).toBeLessThanOrEqual(5);
});
