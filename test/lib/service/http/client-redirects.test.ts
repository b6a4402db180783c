import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../../support/connected.ts';
import { type Answer, startRecorder } from '../../../support/recorder.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];
const empty = { body: { data: [], count: 0 } };
const to = (location: string, status: number): Answer => ({
  status,
  headers: { location },
  body: 'moved',
});

describe('within the origin', () => {
  test.each([301, 302, 303, 307, 308])('a GET follows %i, with the key', async (status) => {
    const { run, service } = await connected(to('/other/v1/emails?page=1', status), empty);
    expect((await run('email list --json')).exitCode).toBe(0);
    expect(service.requests[1]).toMatchObject({ method: 'GET', path: '/other/v1/emails?page=1' });
    expect(service.requests[1]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test.each([307, 308])('a POST follows %i with method, key and body', async (status) => {
    const { run, service } = await connected(to('emails/', status), { body: { emailId: 'em_1' } });
    expect((await run(send)).exitCode).toBe(0);
    const [first, second] = service.requests;
    expect(second).toMatchObject({ method: 'POST', path: '/api/v1/emails/' });
    expect(second?.body).toBe(first?.body);
    for (const name of ['authorization', 'idempotency-key', 'content-type']) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
  });

  test.each([301, 302, 303])('a POST does not become a GET by %i', async (status) => {
    const { run, service } = await connected(to('/api/v1/emails/', status));
    const outcome = await run(send);
    expect(outcome.exitCode).toBe(8);
    expect(service.requests).toHaveLength(1);
  });

  test('a loop ends with 8 after some redirects', async () => {
    const circle = Array<Answer>(50).fill(to('/api/v1/emails', 302));
    const { run, service } = await connected(...circle);
    const outcome = await run('email list --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).code).toBe('bad_reply');
    expect(errorOf(outcome).message).toBe(
      `The service redirects too often: 6 times, the last time to ${service.baseUrl}/v1/emails.`,
    );
    expect(service.requests.length).toBeLessThanOrEqual(21);
  });
});

describe('to another origin', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i is not followed: nothing is sent there',
    async (status) => {
      const elsewhere = await startRecorder();
      for (const words of [['email', 'list', '--json'], send]) {
        const { run, service } = await connected(to(`${elsewhere.url}/api/v1/emails`, status));
        const outcome = await run(words);
        expect(outcome.exitCode).toBe(8);
        const { code, message } = errorOf(outcome);
        expect(code).toBe('bad_reply');
        expect(message).toContain(elsewhere.url);
        expect(service.requests).toHaveLength(1);
      }
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('a send that was not followed has not been accepted: it needs the new base URL', async () => {
    const { run } = await connected(to('https://new.example/api/v1/emails', 308));
    const error = errorOf(await run(send));
    expect(error.hint).toMatch(/new base URL/);
    expect(error).not.toHaveProperty('idempotencyKey');
  });

  test('a send that gets 303 may have been accepted', async () => {
    const { run, service } = await connected(to('https://new.example/done', 303));
    const { idempotencyKey } = errorOf(await run(send));
    expect(idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });

  test('nor after a redirect within the origin', async () => {
    const elsewhere = await startRecorder();
    const { run } = await connected(to('/api/v2', 307), to(`${elsewhere.url}/x`, 307));
    expect((await run(send)).exitCode).toBe(8);
    expect(elsewhere.requests).toEqual([]);
  });

  test('https instead of http, on the same host and port, is another origin', async () => {
    const { run, service } = await connected((response) => {
      const location = `https://${response.req.headers.host}/api/v1/emails`;
      response.writeHead(308, { location }).end();
    });
    const outcome = await run('email list --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).message).toContain(service.url.replace('http:', 'https:'));
    expect(errorOf(outcome).hint).toMatch(/base URL/);
    expect(service.requests).toHaveLength(1);
  });

  test('the host by another name, or with a user name, is not taken for the same', async () => {
    const { run, service } = await connected(
      (response) =>
        response
          .writeHead(307, { location: `//key@${response.req.headers.host}.evil.example/` })
          .end(),
      (response) => response.writeHead(307, { location: '//localhost/api/v1/emails' }).end(),
      (response) => response.writeHead(307, { location: 'javascript:alert(1)' }).end(),
      (response) => response.writeHead(307, { location: 'http://[' }).end(),
    );
    for (let count = 1; count <= 4; count++) {
      expect((await run('email list')).exitCode).toBe(8);
      expect(service.requests).toHaveLength(count);
    }
  });
});

test('a redirect without a location is an error', async () => {
  const { run, service } = await connected({ status: 302, body: '' }, { status: 304, body: '' });
  expect((await run('email list --json')).exitCode).toBe(8);
  expect((await run('email list --json')).exitCode).toBe(8);
  expect(service.requests).toHaveLength(2);
});
