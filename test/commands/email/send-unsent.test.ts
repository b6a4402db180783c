import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const said = 'Nothing was sent.';
const email = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: 'Hello' };
const send = 'email send --to ana@example.org --from hello@example.com --subject Hi --text Hello';
const message = 'From: hello@example.com\nSubject: Hi\n\nHello\n';
const nobody = 'http://127.0.0.1:1/api';

/** The error of a command line at this service, with any input. */
async function failure(line: string, baseUrl: string, stdin = '') {
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl });
  return errorOf(await world.run(`${line} --retries 0 --json`, { stdin }));
}

describe('a request that did not leave says that nothing was sent:', () => {
  test.each([
    [send, ''],
    ['sendmail ana@example.org', message],
    ['api POST /v1/emails --input -', JSON.stringify(email)],
    ['api POST /v1/emails/batch --input -', JSON.stringify([email])],
    ['email reschedule email_1 --scheduled-at 2026-02-01T10:00:00Z', ''],
  ])('%s, without a connection', async (line, stdin) => {
    const error = await failure(line, nobody, stdin);
    expect(error).toMatchObject({
      code: 'unavailable',
      hint: `${said} To find the cause: mailer doctor`,
    });
    expect(error).not.toHaveProperty('idempotencyKey');
  });

  test('at an unknown host', async () => {
    const { hint } = await failure(send, 'https://nowhere.invalid/api');
    expect(hint).toContain(said);
  });

  test('before what to do about the certificate or the protocol', async () => {
    const { url } = await startRecorder();
    const { hint } = await failure(send, `${url.replace('http:', 'https:')}/api`);
    expect(hint).toMatch(/^Nothing was sent\. ./);
  });
});

describe('it is not said of', () => {
  test('a request that reads, or changes something without mail', async () => {
    expect((await failure('email list', nobody)).hint ?? '').not.toContain(said);
    expect((await failure('email cancel email_1', nobody)).hint ?? '').not.toContain(said);
  });

  test('a request without a response', async () => {
    const { run } = await connected((response) => response.destroy());
    const { hint } = errorOf(await run(`${send} --retries 0 --json`));
    expect(hint).not.toContain(said);
  });

  test('the second email of a message whose first was accepted', async () => {
    const { run, service } = await connected((response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end('{"emailId":"email_1"}', () => void service.close());
    });
    const line = 'sendmail ana@example.org ben@example.org --retries 0 --json';
    const { hint } = errorOf(await run(line, { stdin: message }));
    expect(hint).toMatch(/^It was accepted for 1 of 2 recipients\./);
    expect(hint).not.toContain(said);
  });
});
