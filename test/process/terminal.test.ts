import { describe, expect, test } from 'vitest';
import { createPlace, type Place } from '../support/process.ts';
import { startRecorder } from '../support/recorder.ts';
import { ctrlC, ctrlD, enter, openTerminal } from '../support/terminal.ts';

const domain = {
  id: 7,
  name: 'example.net',
  status: 'SUCCESS',
  region: 'us-east-1',
  createdAt: '2026-01-10T10:00:00.000Z',
  updatedAt: '2026-01-10T10:00:00.000Z',
  dnsRecords: [],
};

async function emailCount(place: Place): Promise<number> {
  const { stdout } = await place.run('email list --sandbox --quiet');
  return stdout.trimEnd().split('\n').length;
}

describe('questions', () => {
  test('for missing values of a send, repeated until the answer is valid; sent once', async () => {
    const place = createPlace();
    const terminal = openTerminal(place, 'mailer email send --sandbox');
    await terminal.shows('? To');
    terminal.type(`nobody${enter}`);
    await terminal.shows('Not an email address');
    terminal.type(`@example.org${enter}`);
    await terminal.shows('? From');
    terminal.type(`hello@example.com${enter}`);
    await terminal.shows('? Subject');
    terminal.type(`Grüße${enter}`);
    await terminal.shows('? Text');
    terminal.type(`Some text${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen().cursorVisible).toBe(true);
    const id = /^(\w+)\nAccepted\./m.exec(terminal.text())?.[1];
    expect(await emailCount(place)).toBe(3);
    const { stdout } = await place.run(`email get ${id} --sandbox --json`);
    expect(JSON.parse(stdout)).toMatchObject({
      to: ['nobody@example.org'],
      from: 'hello@example.com',
      subject: 'Grüße',
      text: 'Some text',
    });
  });

  test('only for missing values', async () => {
    const place = createPlace();
    const given = '--to ana@example.org --from hello@example.com --text Hello';
    const terminal = openTerminal(place, `mailer email send --sandbox ${given}`);
    await terminal.shows('? Subject');
    expect(terminal.text()).toBe('? Subject');
    terminal.type(`Hi${enter}`);
    expect(await terminal.end()).toBe(0);
  });

  test.each([
    ['with --no-input', '--no-input', {}],
    ['with CI set', '', { CI: '1' }],
    ['with stdin redirected', '< /dev/null', {}],
    ['with stderr redirected', '2> error; cat error; exit 2', {}],
  ])('are not asked %s; all missing values are named', async (_, how, env) => {
    const place = createPlace();
    const terminal = openTerminal(place, `mailer email send --sandbox ${how}`, { env });
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toMatch(/^Error: Missing --to, --from, --subject, --text\nHint: .*$/);
    expect(await emailCount(place)).toBe(2);
  });

  test('go to stderr, so that the result can be piped', async () => {
    const place = createPlace();
    const given = '--to ana@example.org --from hello@example.com --text Hello';
    const terminal = openTerminal(place, `mailer email send --sandbox ${given} | tr a-z A-Z`);
    await terminal.shows('? Subject');
    terminal.type(`Hi${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toMatch(/^[A-Z0-9]+$/m);
  });
});

test('login asks for URL and key, and never shows the key', async () => {
  const key = 'us_secret_0123456789';
  const service = await startRecorder({ body: [] });
  const place = createPlace();
  const terminal = openTerminal(place, 'mailer login');
  await terminal.shows('? Base URL');
  terminal.type(`${service.baseUrl}${enter}`);
  await terminal.shows('? API key');
  terminal.type(key);
  await terminal.shows(/API key \*+/);
  terminal.type(enter);
  expect(await terminal.end()).toBe(0);
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(terminal.text()).toContain('Logged in to');
  expect(terminal.output()).not.toContain('secret');
});

test('sandbox reset asks, and keeps the data on a no', async () => {
  const place = createPlace();
  await place.run('sandbox reset --empty --yes');
  const terminal = openTerminal(place, 'mailer sandbox reset');
  await terminal.shows('Delete it? (y/N)');
  terminal.type(enter);
  expect(await terminal.end()).toBe(2);
  expect(terminal.text()).toContain('Error: Not confirmed. Nothing was deleted.');
  expect((await place.run('email list --sandbox --quiet')).stdout).toBe('');
});

describe('a confirmation', () => {
  async function asked() {
    const service = await startRecorder({ body: [domain] }, { body: { success: true } });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const terminal = openTerminal(createPlace(env), 'mailer domain delete example.net');
    await terminal.shows('Delete it? (y/N)');
    expect(terminal.text()).toContain('domain example.net (id 7)');
    const methods = () => service.requests.map(({ method, path }) => `${method} ${path}`);
    expect(methods()).toEqual(['GET /api/v1/domains']);
    return { terminal, methods };
  }

  test.each([
    ['no', `n${enter}`],
    ['nothing', enter],
  ])('that is answered with %s sends nothing', async (_, keys) => {
    const { terminal, methods } = await asked();
    terminal.type(keys);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Not confirmed. Nothing was sent.');
    expect(methods()).toEqual(['GET /api/v1/domains']);
  });

  test('of @last names what is deleted, not only its id', async () => {
    const id = 'cm3k9x2f8000008l4';
    const campaign = { id, name: 'Spring news', status: 'DRAFT' };
    const service = await startRecorder({ body: campaign }, { body: campaign }, { body: campaign });
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const place = createPlace(env);
    await place.run('api POST /v1/campaigns -f name=Spring');
    const terminal = openTerminal(place, 'mailer campaign delete @last', { columns: 200 });
    await terminal.shows(`This deletes campaign "Spring news" (${id}, DRAFT) with`);
    expect(service.requests.at(-1)?.method).toBe('GET');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(service.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/api/v1/campaigns/${id}`,
    });
  });

  test('that is ended with Ctrl-D sends nothing', async () => {
    const { terminal, methods } = await asked();
    terminal.type(ctrlD);
    expect(await terminal.end()).toBe(130);
    expect(terminal.text()).not.toContain('Warning');
    expect(methods()).toEqual(['GET /api/v1/domains']);
  });

  test('breaks its lines between words', async () => {
    const { terminal } = await asked();
    expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain(
      '? This deletes domain example.net (id 7): it can no longer send, and API keys restricted to it lose the restriction. Delete it? (y/N)',
    );
    terminal.type(ctrlD);
    await terminal.end();
  });

  test('that is answered with yes', async () => {
    const { terminal, methods } = await asked();
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    // Neither yellow, blue nor cyan: one of them cannot be read, on white or on black.
    expect(terminal.output().replaceAll('\x1b', 'ESC')).not.toMatch(/ESC\[[\d;]*\b[39][346]m/);
    expect(terminal.text()).toContain('Deleted domain example.net.');
    expect(methods()).toEqual(['GET /api/v1/domains', 'DELETE /api/v1/domains/7']);
  });
});

test.each([
  ['n', 2, []],
  ['y', 0, ['DELETE /api/v1/things/1']],
])('api DELETE asks first: %s', async (answer, exitCode, sent) => {
  const service = await startRecorder({ body: {} });
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  const terminal = openTerminal(createPlace(env), 'mailer api DELETE /v1/things/1');
  await terminal.shows('(y/N)');
  expect(terminal.text()).toContain('DELETE /v1/things/1');
  terminal.type(`${answer}${enter}`);
  expect(await terminal.end()).toBe(exitCode);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(sent);
});

describe('Ctrl-C', () => {
  const after = 'echo "exit code $?"; stty -a';

  test.each([
    ['a question', 'mailer email send --sandbox', '? To'],
    ['a secret', 'mailer login --base-url http://127.0.0.1:9/api', '? API key'],
    ['a confirmation', 'mailer domain delete example.com --sandbox', 'Delete it?'],
  ])('at %s is 130 and restores the terminal', async (_, line, question) => {
    const place = createPlace();
    const terminal = openTerminal(place, `${line}; ${after}`);
    await terminal.shows(question);
    terminal.type(`x${ctrlC}`);
    await terminal.end();
    expect(terminal.text()).toContain('exit code 130');
    // Neither raw nor silent, and with a cursor.
    expect(terminal.text()).toMatch(/[^-]icanon/);
    expect(terminal.text()).toMatch(/[^-]echo\b/);
    expect(terminal.screen().cursorVisible).toBe(true);
    expect(terminal.text()).not.toContain('Error');
    expect(await emailCount(place)).toBe(2);
  });

  test('during a question of a key command ends both', async () => {
    const place = createPlace();
    const keyCommand = "echo 'Passphrase:' >&2; read answer; echo key-of-nobody";
    const line = `mailer login --base-url http://127.0.0.1:9/api --key-command "${keyCommand}"`;
    const terminal = openTerminal(place, `${line}; ${after}`);
    await terminal.shows('Passphrase:');
    terminal.type(ctrlC);
    await terminal.end();
    expect(terminal.text()).toContain('exit code 130');
  });
});
