import { request as httpRequest } from 'node:http';
import { UseSend } from 'usesend-js';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, finished } from '../../support/process.ts';
import { firstLine, serveSandbox } from '../../support/served.ts';

const message = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';

describe('sandbox start', () => {
  test('prints its URL as one line of JSON', async () => {
    const place = createPlace();
    const { process, url, baseUrl, port, apiKey } = await serveSandbox(place);
    expect(port).toBeGreaterThan(0);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(baseUrl).toBe(`${url}/api`);
    process.kill('SIGTERM');
    const { stdout, stderr } = await finished(process);
    expect(JSON.parse(stdout)).toEqual({ url, baseUrl, port, apiKey });
    expect(stdout.split('\n')).toEqual([expect.any(String), '']);
    expect(stderr).toBe(
      `The sandbox is running; its data is in ${place.sandboxDirectory}.\nInbox: ${url}\nCtrl-C stops it.\n`,
    );
    // There are no export lines.
    expect(stderr).not.toContain('two lines');
  });

  test('prints lines that a shell can run', async () => {
    const place = createPlace();
    const process = place.start('sandbox start --port 0');
    await firstLine(process);
    process.kill('SIGTERM');
    const { stdout } = await finished(process);
    expect(stdout).toMatch(/^export MAILER_BASE_URL=\S+\nexport MAILER_API_KEY=\S+\n$/);

    const words = stdout.match(/127\.0\.0\.1:(\d+)/);
    const again = await serveSandbox(place, ['--port', String(words?.[1])]);
    const line = `${stdout}mailer email list --quiet`;
    expect(await finished(place.shell(line))).toMatchObject({
      exitCode: 0,
      stdout: 'email_receipt\nemail_welcome\n',
    });
    expect(stdout).toContain(again.baseUrl);
  });

  test('prints lines for PowerShell in PowerShell', async () => {
    const process = createPlace({ SHELL: '/usr/bin/pwsh' }).start('sandbox start --port 0');
    await firstLine(process);
    process.kill('SIGTERM');
    const { stdout } = await finished(process);
    expect(stdout).toMatch(/^\$env:MAILER_BASE_URL = 'http\S+'\n\$env:MAILER_API_KEY = '\S+'\n$/);
  });

  test('prints last what its two lines are for', async () => {
    const words = ['--port', '0', '--clock', '2026-01-01', '--fault', 'GET /v1/domains 503'];
    const process = createPlace().start(['sandbox', 'start', ...words, '--host', '0.0.0.0']);
    await firstLine(process);
    process.kill('SIGTERM');
    const { stderr } = await finished(process);
    expect(stderr.split('\n').slice(0, 6)).toEqual([
      expect.stringMatching(/^The sandbox is running; /),
      expect.stringMatching(/^Inbox: http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^Warning: 0\.0\.0\.0 is not loopback/),
      expect.stringMatching(/^Its clock is /),
      expect.stringMatching(/^Faults are on: /),
      'To use it from another terminal, run these two lines there. Ctrl-C stops it.',
    ]);
  });

  test('with data of its own, prints a line that leads mailer to it, too', async () => {
    const process = createPlace().start('sandbox start --port 0 --temporary');
    await firstLine(process);
    process.kill('SIGTERM');
    const { stdout, stderr } = await finished(process);
    const [, directory] = /data is in (.+)\.$/m.exec(stderr) ?? [];
    expect(stdout).toContain(`export MAILER_SANDBOX_DIR=${directory}\n`);
    expect(stderr).toContain('run these three lines there');
  });

  test('has an error for a port in use, and does not disturb its server', async () => {
    const place = createPlace();
    const { port, url, baseUrl } = await serveSandbox(place);
    const second = await place.run(`sandbox start --port ${port} --json`);
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(second.stderr)).toMatchObject({
      error: { code: 'usage', message: `Cannot listen on 127.0.0.1:${port}: the port is in use` },
    });
    const status = await runHere(place, 'sandbox status --json');
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true, url, baseUrl });
  });

  test('deletes nothing, and does not change the clock, if the port is in use', async () => {
    const place = createPlace();
    const { port } = await serveSandbox(place);
    await runHere(place, `email send --sandbox ${message} --quiet`);
    const again = `sandbox start --port ${port} --reset --clock 2030-01-01T00:00:00Z`;
    expect((await place.run(again)).exitCode).toBe(2);
    const list = await runHere(place, 'email list --sandbox --fields subject');
    expect(list.stdout).toContain('Hi\n');
    const status = await runHere(place, 'sandbox status --json');
    expect(JSON.parse(status.stdout)).toMatchObject({ aheadMs: 0 });
  });

  test('ends if its data cannot be opened', async () => {
    const place = createPlace({ MAILER_SANDBOX_DIR: '/dev/null' });
    expect(await place.run('sandbox start --port 0')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Cannot write /dev/null: '),
    });
  });

  test('has an error for an address that is not of this machine', async () => {
    const { exitCode, stderr } = await createPlace().run('sandbox start --host 192.0.2.1 --port 0');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot listen on 192.0.2.1');
    expect(stderr).toContain('Hint: --host is an address of this machine');
    expect(stderr).not.toContain('--port');
  });

  test('refuses requests for names that are not its own, and reports it in its inbox', async () => {
    const { port, url } = await serveSandbox(createPlace());
    expect(await statusFor(port, 'evil.test')).toBe(403);
    expect(await statusFor(port, `localhost:${port}`)).toBe(200);
    expect(await statusFor(port, 'evil.test', '/api/v1/domains')).toBe(403);
    const page = await (await fetch(`${url}/requests`)).text();
    expect(page).toContain('403 Forbidden: evil.test is not a name of this sandbox');
  });

  test('warns if others can reach it', async () => {
    const { process } = await serveSandbox(createPlace(), ['--port', '0', '--host', '0.0.0.0']);
    process.kill('SIGTERM');
    expect((await finished(process)).stderr).toContain('0.0.0.0 is not loopback');
  });
});

test.for([
  ['domains', ['email', 'send', ...message.split(' ')]],
  ['contacts', undefined],
] as const)('an empty page of %s has a command, which works', async ([page, then]) => {
  const place = createPlace();
  const { url } = await serveSandbox(place, ['--port', '0', '--empty']);
  const html = await (await fetch(`${url}/${page}`)).text();
  const commands = html.match(/<pre[^>]*>([^<]*)<\/pre>/)?.[1]?.split('\n') ?? [];
  expect(commands).not.toEqual([]);
  for (const line of commands) {
    expect(await finished(place.shell(line)), line).toMatchObject({ exitCode: 0 });
  }
  expect(await (await fetch(`${url}/${page}`)).text()).not.toContain('There are no');
  if (then !== undefined) {
    expect(await runHere(place, [...then, '--sandbox'])).toMatchObject({ exitCode: 0 });
  }
});

describe('sandbox status', () => {
  test('shows whether it is served, also after the server was killed', async () => {
    const place = createPlace();
    const status = async () => (await runHere(place, 'sandbox status --quiet')).stdout;
    expect(await status()).toBe('stopped\n');
    const { process } = await serveSandbox(place);
    expect(await status()).toBe('running\n');
    process.kill('SIGKILL');
    await process;
    expect(await status()).toBe('stopped\n');
  });
});

describe('a second server on the same data', () => {
  test('prints a note about the first, which is found again after the second has ended', async () => {
    const place = createPlace();
    const first = await serveSandbox(place);
    const second = await serveSandbox(place);
    expect(await place.run('sandbox open --quiet')).toMatchObject({ stdout: `${second.url}\n` });
    second.process.kill('SIGTERM');
    const { stderr } = await finished(second.process);
    expect(stderr).toContain(`Warning: The same data is being served at ${first.url}`);
    expect(stderr).toContain('MAILER_SANDBOX_DIR');
    expect(await place.run('sandbox open --quiet')).toMatchObject({ stdout: `${first.url}\n` });
    first.process.kill('SIGTERM');
    expect((await finished(first.process)).stderr).not.toContain('Warning');
    expect(await runHere(place, 'sandbox status --quiet')).toMatchObject({ stdout: 'stopped\n' });
  });

  test.for(['another port', 'its port'])(
    'prints no note about a killed one, on %s',
    async (which) => {
      const place = createPlace();
      const first = await serveSandbox(place);
      first.process.kill('SIGKILL');
      await first.process;
      const port = which === 'its port' ? first.port : 0;
      const second = await serveSandbox(place, ['--port', String(port)]);
      second.process.kill('SIGTERM');
      expect((await finished(second.process)).stderr).not.toContain('Warning');
      expect(await runHere(place, 'sandbox status --quiet')).toMatchObject({ stdout: 'stopped\n' });
    },
  );
});

describe('the data', () => {
  test('is kept after the server, and available without one', async () => {
    const place = createPlace();
    const first = await serveSandbox(place);
    const { stdout } = await runHere(place, `email send ${message}`, { env: first.env });
    first.process.kill('SIGTERM');
    await first.process;

    const second = await serveSandbox(place);
    const words = `email get ${stdout.trim()} --quiet`;
    expect(await place.run(words, { env: second.env })).toMatchObject({ exitCode: 0, stdout });
    expect(await runHere(place, `${words} --sandbox`)).toMatchObject({ exitCode: 0, stdout });
  });

  test('can be reset while it is served', async () => {
    const place = createPlace();
    const { env } = await serveSandbox(place);
    await runHere(place, `email send ${message}`, { env });
    const list = async () =>
      (await runHere(place, 'email list --quiet', { env })).stdout.split('\n');
    expect(await list()).toHaveLength(4);
    expect(await runHere(place, 'sandbox reset --yes')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await list()).toEqual(['email_receipt', 'email_welcome', '']);
    expect((await runHere(place, `email send ${message}`, { env })).exitCode).toBe(0);
    expect(await list()).toHaveLength(4);
  });

  test('is reset with --reset', async () => {
    const place = createPlace();
    await runHere(place, `email send --sandbox ${message}`);
    const { env } = await serveSandbox(place, ['--port', '0', '--reset']);
    const { stdout } = await runHere(place, 'email list --quiet', { env });
    expect(stdout).toBe('email_receipt\nemail_welcome\n');
  });
});

test('the published client works with it unmodified', async () => {
  const { apiKey, url } = await serveSandbox(createPlace());
  const client = new UseSend(apiKey, url);
  const email = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: 'Hello' };

  const sent = await client.emails.send(email);
  expect(sent).toMatchObject({ error: null, data: { emailId: expect.any(String) } });
  const batch = await client.emails.batch([email, email]);
  expect(batch).toMatchObject({ error: null, data: [{}, {}] });
  const fetched = await client.emails.get(sent.data?.emailId ?? '');
  expect(fetched).toMatchObject({ error: null, data: { subject: 'Hi', to: ['ana@example.org'] } });
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const later = await client.emails.send({ ...email, scheduledAt });
  const laterId = later.data?.emailId ?? '';
  expect(await client.emails.update(laterId, { scheduledAt })).toMatchObject({ error: null });
  expect(await client.emails.cancel(laterId)).toMatchObject({ data: { emailId: laterId } });
  expect(await client.domains.list()).toMatchObject({ error: null, data: [{}, {}, {}] });
  expect(await client.campaigns.getAll()).toMatchObject({ error: null, data: { campaigns: [] } });
});

/** The status of a request with this Host header, which `fetch` cannot set. */
function statusFor(port: number, host: string, path = '/'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { host: '127.0.0.1', port, path, headers: { Host: host } };
    const request = httpRequest(asked, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    request.on('error', reject).end();
  });
}
