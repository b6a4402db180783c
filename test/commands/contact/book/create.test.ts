import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import { connected, errorOf } from '../../../support/connected.ts';
import { enter } from '../../../support/keys.ts';
import { createWorld } from '../../../support/run.ts';

const line = 'contact book create --allow-duplicate --name Readers';
const reply = { body: { id: 'book_1', name: 'Readers', novel: 1 } };

test.each([
  ['off', false, 'Double opt-in is off: new contacts are subscribed at once.'],
  ['on', true, 'Double opt-in is on: new contacts get an email that asks for confirmation.'],
])('with double opt-in %s', async (word, doubleOptInEnabled, said) => {
  const { run, requests, sent } = await connected(reply);
  expect(await run(`${line} --double-opt-in ${word}`)).toEqual({
    exitCode: 0,
    stdout: 'book_1\n',
    stderr: `Created contact book Readers. ${said}\n`,
  });
  expect(requests()).toEqual(['POST /api/v1/contactBooks']);
  expect(sent()).toEqual({ name: 'Readers', doubleOptInEnabled });
});

test('every flag is sent as its field; --json is the unmodified response', async () => {
  const { run, sent } = await connected(reply);
  const content = '{"type":"doc","url":"{{doubleOptInUrl}}"}';
  const { stdout } = await run([
    ...`${line} --double-opt-in on --variable plan --variable city --emoji 🌱 --json`.split(' '),
    ...['--property', 'source=the fair', '--double-opt-in-from', 'News <news@example.com>'],
    ...['--double-opt-in-subject', 'Sure?', '--double-opt-in-content', content],
  ]);
  expect(JSON.parse(stdout)).toEqual(reply.body);
  expect(sent()).toEqual({
    name: 'Readers',
    emoji: '🌱',
    variables: ['plan', 'city'],
    properties: { source: 'the fair' },
    doubleOptInEnabled: true,
    doubleOptInFrom: 'News <news@example.com>',
    doubleOptInSubject: 'Sure?',
    doubleOptInContent: content,
  });
});

test('the content may come from a file', async () => {
  const { run, sent, file } = await connected(reply);
  file('confirm.json', '{"type":"doc"}');
  await run(`${line} --double-opt-in on --double-opt-in-content-file confirm.json`);
  expect(sent()).toMatchObject({ doubleOptInContent: '{"type":"doc"}' });
});

describe('double opt-in must be said', () => {
  test('because on is the default, and mails people', async () => {
    const { run, requests } = await connected();
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message: 'Missing --double-opt-in',
      hint: 'With --double-opt-in on, new contacts get an email that asks for confirmation; with off, they are subscribed at once.',
    });
    expect(requests()).toEqual([]);
  });

  test.each([
    ['contact book create', 'Missing --name, --double-opt-in\n'],
    ['contact book create --double-opt-in off', 'Missing --name\n'],
    [`${line} --double-opt-in yes`, '--double-opt-in: "yes" is not one of on, off\n'],
    [`${line} --double-opt-in on --double-opt-in-from x`, '--double-opt-in-from: "x" is not an'],
  ])('%s is a usage error', async (words, message) => {
    const { run, requests } = await connected();
    const { exitCode, stderr } = await run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Error: ${message}`);
    expect(requests()).toEqual([]);
  });
});

test('--dry-run shows the request and needs no key', async () => {
  const words = `${line} --double-opt-in off --variable plan --dry-run --json`;
  const { exitCode, stdout } = await createWorld().run(words);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: '{base_url}/v1/contactBooks',
    body: { name: 'Readers', doubleOptInEnabled: false, variables: ['plan'] },
  });
});

test('without a response, it is not sent again: there would be two of the name', async () => {
  const { run, requests } = await connected((response) => response.destroy());
  const outcome = await run(`${line} --double-opt-in off --json`);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toBe(
    'It may have been created. Check before you create it again:\nmailer contact book list',
  );
  expect(requests()).toEqual(['POST /api/v1/contactBooks']);
});

test('a sender whose domain is not verified is named', async () => {
  const words = `${line} --double-opt-in on --double-opt-in-from a@example.net --sandbox`;
  const { exitCode, stderr } = await createWorld().run(words);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('To verify it: mailer domain verify example.net --wait --sandbox');
});

test('at a terminal, the name is asked for, and whether there is double opt-in', async () => {
  const { run } = await connected({ body: [] }, { body: { id: 'book_3', name: 'News' } });
  const { exitCode, text } = await atTerminal(run, 'contact book create', [
    ['? Name', `News${enter}`],
    ['❯ on: new contacts get an email that asks for confirmation', 'of'],
    ['❯ off: new contacts are subscribed at once', enter],
  ]);
  expect(exitCode).toBe(0);
  expect(text).toContain('Created contact book News. Double opt-in is off:');
});
