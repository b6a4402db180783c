import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, finished, type Place, startOf } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';
import { openTerminal } from '../../support/terminal.ts';

const seeds = {
  domains: [{ name: 'shop.test' }],
  messages: [{ id: 'email_1', from: 'a@shop.test', to: 'ana@example.org', subject: 'Hi' }],
};

function seeded(value: unknown = seeds): Place {
  const place = createPlace();
  writeFileSync(join(place.home, 'seeds.json'), JSON.stringify(value));
  return place;
}

describe('sandbox start', () => {
  test('prints its URL on the first line, at once', async () => {
    const { env, home } = createPlace();
    const [file, ...before] = startOf();
    const child = spawn(file, [...before, 'sandbox', 'start', '--port', '0', '--json'], {
      cwd: home,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { url, baseUrl, port, apiKey } = JSON.parse(line);
      expect(url).toBe(`http://127.0.0.1:${port}`);
      const headers = { Authorization: `Bearer ${apiKey}` };
      expect((await fetch(`${baseUrl}/v1/domains`, { headers })).status).toBe(200);
      child.kill('SIGTERM');
    }
    expect(child.killed).toBe(true);
  });

  test('has the data of a file, and with --empty no other', async () => {
    const place = seeded();
    const one = await serveSandbox(place, ['--port', '0', '--seed', 'seeds.json']);
    const list = async (env: ServedEnv) =>
      (await runHere(place, 'email list --quiet', { env })).stdout.split('\n').sort();
    expect(await list(one.env)).toEqual(['', 'email_1', 'email_receipt', 'email_welcome']);
    one.process.kill('SIGTERM');
    await one.process;
    const other = await serveSandbox(place, ['--port', '0', '--seed', 'seeds.json', '--empty']);
    expect(await list(other.env)).toEqual(['', 'email_1']);
  });

  test('deletes nothing for an invalid file', async () => {
    const place = seeded({ ...seeds, messages: [{ subject: 'Hi' }] });
    await runHere(
      place,
      'email send --sandbox --from a@example.com --to b@example.com --subject A --text B',
    );
    const { exitCode, stdout, stderr } = await place.run(
      'sandbox start --port 0 --seed seeds.json --empty',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('messages[0].from: is missing');
    expect((await runHere(place, 'email list --sandbox --quiet')).stdout.split('\n')).toHaveLength(
      4,
    );
  });

  test('responds to allowed names, and no others', async () => {
    const names = ['--allow-host', 'mail', '--allow-host', 'Mail.Test'];
    const { port } = await serveSandbox(createPlace(), ['--port', '0', ...names]);
    expect(await statusFor(port, `mail:${port}`)).toBe(200);
    expect(await statusFor(port, 'mail.test')).toBe(200);
    expect(await statusFor(port, 'localhost')).toBe(200);
    expect(await statusFor(port, 'evil.test')).toBe(403);
    expect(await statusFor(port, 'mail.evil.test')).toBe(403);
  });

  test.each(['http://mail', 'mail:4100', 'a/b', '', 'a@b', '*'])(
    'refuses --allow-host %j',
    async (name) => {
      const words = ['sandbox', 'start', '--port', '0', '--allow-host', name];
      const { exitCode, stdout, stderr } = await runHere(createPlace(), words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('--allow-host');
    },
  );
});

type ServedEnv = Readonly<Record<string, string>>;

test('a sandbox can be copied through a pipe', async () => {
  const place = seeded();
  await place.run('sandbox seed seeds.json');
  const copy =
    'mailer sandbox export | MAILER_SANDBOX_DIR=copy mailer sandbox seed - --empty --json';
  const { stdout } = await finished(place.shell(copy));
  expect(JSON.parse(stdout)).toMatchObject({ domains: 4, messages: 3 });
  const list = 'MAILER_SANDBOX_DIR=copy mailer email list --sandbox --quiet';
  expect((await finished(place.shell(list))).stdout.split('\n')).toContain('email_1');
});

test('seeds reach a sandbox that is being served', async () => {
  const place = seeded();
  const { env } = await serveSandbox(place);
  await place.run('sandbox seed seeds.json');
  expect((await place.run('email get email_1 --quiet --wait', { env })).stdout).toBe('email_1\n');
});

test('the inbox is opened with the program of the system', async () => {
  const place = createPlace();
  const { url } = await serveSandbox(place);
  const browser = join(place.home, 'browser');
  writeFileSync(browser, '#!/bin/sh\nprintf %s "$1" >"$0.url"\n');
  chmodSync(browser, 0o755);
  const terminal = openTerminal(place, 'mailer sandbox open', { env: { BROWSER: browser } });
  expect(await terminal.end()).toBe(0);
  expect(terminal.output()).toBe(`${url}\r\n`);
  await expect.poll(() => existsSync(`${browser}.url`)).toBe(true);
  await expect.poll(() => readFileSync(`${browser}.url`, 'utf8')).toBe(`${url}/`);
});

test.skipIf(process.platform === 'win32')(
  'the program that opens a page gets no key and no password',
  async () => {
    const place = createPlace();
    await runHere(place, 'sandbox reset --yes');
    const browser = join(place.home, 'browser');
    writeFileSync(browser, '#!/bin/sh\nenv >"$0.partly" && mv "$0.partly" "$0.env"\n');
    chmodSync(browser, 0o755);
    const env = {
      BROWSER: browser,
      MAILER_API_KEY: 'us_key_of_the_environment',
      MAILER_SANDBOX_SMTP_URL: 'smtps://ana:smtp_password@mail.example.com',
    };
    const list = await runHere(place, 'email list --sandbox --quiet');
    const [id = ''] = list.stdout.split('\n');
    const { exitCode, stderr } = await place.run(`email get ${id} --sandbox --open`, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    await expect.poll(() => existsSync(`${browser}.env`)).toBe(true);
    const given = readFileSync(`${browser}.env`, 'utf8');
    expect(given).toContain(`HOME=${place.home}\n`);
    expect(given).not.toMatch(/us_key_of_the_environment|smtp_password/);
  },
);

/** The status of a request with this Host header, which `fetch` cannot set. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, headers: { Host: host } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    request.on('error', reject).end();
  });
}
