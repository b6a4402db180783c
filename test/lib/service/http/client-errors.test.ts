import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connected, errorOf, key } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';

const get = 'email get em_1';
const html =
  '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

/** The exit code and the JSON error after this response, without retries. */
async function failure(answer: Answer, line = get) {
  const { run, service } = await connected(answer);
  const outcome = await run(`${line} --json --retries 0`);
  // A 403 may be about the scopes of the key, which are looked up.
  const others = service.requests.filter(({ path }) => !path.endsWith('/v1/mcp/me'));
  expect(others).toHaveLength(1);
  expect(outcome.stderr.trimEnd()).not.toContain('\n');
  return { exitCode: outcome.exitCode, ...errorOf(outcome), baseUrl: service.baseUrl };
}

describe('the exit code and the name of the error', () => {
  test.each([
    [400, 1, 'rejected'],
    [402, 1, 'rejected'],
    [405, 1, 'rejected'],
    [413, 1, 'rejected'],
    [422, 1, 'rejected'],
    [401, 3, 'auth'],
    [403, 3, 'auth'],
    [404, 4, 'not_found'],
    [409, 5, 'conflict'],
    [429, 6, 'rate_limited'],
    [500, 7, 'unavailable'],
    [501, 7, 'unavailable'],
    [502, 7, 'unavailable'],
    [503, 7, 'unavailable'],
    [504, 7, 'unavailable'],
    [599, 7, 'unavailable'],
  ])('of a %i are %i and %s', async (status, exitCode, code) => {
    const body = { error: { code: 'SOME_CODE', message: 'Some words' } };
    expect(await failure({ status, body })).toMatchObject({ exitCode, code, status });
  });
});

describe('the shape of an error body', () => {
  const requestId = { 'x-request-id': 'req-77' };

  test('envelope', async () => {
    const body = { error: { code: 'NOT_FOUND', message: 'Email not found' } };
    expect(await failure({ status: 404, body, headers: requestId })).toMatchObject({
      message: 'Email not found',
      apiCode: 'NOT_FOUND',
      requestId: 'req-77',
    });
  });

  test('validation: every issue is named with its path', async () => {
    const issues = [
      { code: 'invalid_type', path: ['to'], message: 'Expected string', expected: 'string' },
      { code: 'custom', path: [1, 'from'], message: 'Domínio não verificado' },
      { code: 'custom', path: [], message: 'Body is wrong' },
    ];
    const body = { success: false, error: { issues, name: 'ZodError' } };
    const { exitCode, message, issues: shown } = await failure({ status: 400, body });
    expect(exitCode).toBe(1);
    expect(message).toContain('to: Expected string');
    expect(message).toContain('[1].from: Domínio não verificado');
    expect(message).toContain('Body is wrong');
    expect(shown).toEqual([
      { path: ['to'], message: 'Expected string' },
      { path: [1, 'from'], message: 'Domínio não verificado' },
      { path: [], message: 'Body is wrong' },
    ]);
  });

  test.each([
    [
      'of no kind: what each kind asks for',
      [
        [{ code: 'invalid_type', path: ['to'], message: 'Expected string, received number' }],
        [{ code: 'invalid_type', path: ['to'], message: 'Expected array, received number' }],
      ],
      [['to'], 'Expected string, received number or Expected array, received number'],
    ],
    [
      'that is missing: said once',
      [
        [{ code: 'invalid_type', path: ['to'], message: 'Required' }],
        [{ code: 'invalid_type', path: ['to'], message: 'Required' }],
      ],
      [['to'], 'Required'],
    ],
    [
      'of one kind: what is wrong inside it',
      [
        [{ code: 'invalid_type', path: ['to'], message: 'Expected string, received array' }],
        [{ code: 'invalid_type', path: ['to', 1], message: 'Expected string, received number' }],
      ],
      [['to', 1], 'Expected string, received number'],
    ],
    ['of which no more is said', [], [['to'], 'Invalid input']],
  ] as const)('a union with a value %s', async (_, kinds, [path, message]) => {
    const unionErrors = kinds.map((issues) => ({ issues, name: 'ZodError' }));
    const union = { code: 'invalid_union', unionErrors, path: ['to'], message: 'Invalid input' };
    const nested = {
      code: 'invalid_union',
      unionErrors: [{ issues: [union], name: 'ZodError' }],
      path: [],
      message: 'Invalid input',
    };
    for (const issue of [union, nested]) {
      const body = { success: false, error: { issues: [issue], name: 'ZodError' } };
      const error = await failure({ status: 400, body });
      expect(error.issues).toEqual([{ path, message }]);
      const place = path.length === 1 ? 'to' : 'to[1]';
      expect(error.message).toBe(`${place}: ${message}`);
    }
  });

  test('a union with its own message keeps it; unusual issues are kept', async () => {
    const said = { code: 'invalid_union', path: ['to'], message: 'Só endereços' };
    for (const unionErrors of [
      [{ issues: [{ path: ['to'], message: 'Required' }], name: 'ZodError' }],
      'none',
      [5],
    ]) {
      const body = { error: { issues: [{ ...said, unionErrors }], name: 'ZodError' } };
      expect((await failure({ status: 400, body })).message).toBe('to: Só endereços');
    }
  });

  test('bare string', async () => {
    expect(await failure({ status: 404, body: { error: 'Domain not found' } })).toMatchObject({
      exitCode: 4,
      message: 'Domain not found',
    });
  });

  test('plain text', async () => {
    const { exitCode, message } = await failure({ status: 418, body: '418 A teapot' });
    expect({ exitCode, message }).toEqual({ exitCode: 1, message: '418 A teapot' });
  });

  test('code at the top of the body', async () => {
    const body = { code: 'NOT_UNIQUE', message: 'Key used for another body' };
    expect(await failure({ status: 409, body })).toMatchObject({
      exitCode: 5,
      apiCode: 'NOT_UNIQUE',
      message: 'Key used for another body',
    });
    expect(
      await failure({ status: 409, body: { code: 'NOT_UNIQUE', error: 'In use' } }),
    ).toMatchObject({ apiCode: 'NOT_UNIQUE', message: 'In use' });
  });

  test('a web page of a proxy is not repeated', async () => {
    for (const headers of [{ 'content-type': 'text/html' }, { 'content-type': 'text/plain' }]) {
      const { exitCode, message } = await failure({ status: 502, headers, body: html });
      expect(exitCode).toBe(7);
      expect(message).toBe('The service responded with 502.');
    }
  });

  test.each([
    ['nothing', ''],
    ['an empty object', {}],
    ['null', 'null'],
    ['an array', '[1]'],
    ['a number', '5'],
    ['a string', '"no"'],
    ['an error of another type', { error: 5 }],
    ['an error of null', { error: null, message: null }],
    ['issues of another type', { error: { issues: 'none', name: 'ZodError' } }],
    ['issues without path and message', { error: { issues: [{}] } }],
    ['JSON that breaks off', '{"error":{"code":'],
    ['a lot of text', 'x'.repeat(5000)],
  ])('%s: the status decides', async (_, body) => {
    const { exitCode, code, message } = await failure({ status: 422, body });
    expect({ exitCode, code }).toEqual({ exitCode: 1, code: 'rejected' });
    expect(message.length).toBeGreaterThan(0);
    expect(message.length).toBeLessThan(400);
  });
});

describe('a rejection of some MB', () => {
  const size = 2_000_000;
  const huge = 'Não '.repeat(size / 4);
  const validation = (issues: readonly object[]) => ({ success: false, error: { issues } });
  const bodies: readonly (readonly [string, object])[] = [
    ['in an envelope', { error: { code: 'BAD_REQUEST', message: huge } }],
    ['as a bare string', { error: huge }],
    ['in its code', { error: { code: huge, message: 'No' } }],
    ['in an issue', validation([{ path: ['to'], message: huge }])],
    ['in the path of an issue', validation([{ path: [huge], message: 'No' }])],
    ['in a long path', validation([{ path: Array(50_000).fill(1), message: 'No' }])],
    ['in many issues', validation(Array(10_000).fill({ path: ['to'], message: 'is not' }))],
  ];

  test.each(bodies)('%s is cut, in JSON and in text', async (_, body) => {
    const answer = { status: 400, body };
    const { run } = await connected(answer, answer);
    const asJson = await run(`${get} --json`);
    expect(asJson.exitCode).toBe(1);
    expect(asJson.stderr.length).toBeLessThan(100_000);
    expect(errorOf(asJson)).toMatchObject({ code: 'rejected', status: 400 });
    expect(asJson.stderr).toMatch(/\band \d+ more\b/);
    const { exitCode, stderr } = await run(get);
    expect(exitCode).toBe(1);
    expect(stderr.length).toBeLessThan(3000);
  });

  test('with more parts than are read has no message', async () => {
    const error = await failure({ status: 400, body: validation(Array(size / 4).fill({})) });
    expect(error).toMatchObject({ code: 'rejected', message: 'The service responded with 400.' });
    expect(error).not.toHaveProperty('issues');
  });

  test('shows how much of it was cut off', async () => {
    const { message } = await failure({ status: 400, body: { error: huge } });
    expect(message).toBe(`${huge.slice(0, 2000)}… and ${size - 2000} more characters`);
    const emoji = await failure({ status: 400, body: { error: `1${'🙂'.repeat(2000)}` } });
    expect(emoji.message).toBe(`1${'🙂'.repeat(999)}… and 2002 more characters`);
    const whole = await failure({ status: 400, body: { error: huge.slice(0, 2000) } });
    expect(whole.message).toBe(huge.slice(0, 2000));
  });

  test('names every row of a batch, even with long messages', async () => {
    const all = Array.from({ length: 100 }, (_, row) => ({
      path: [row, 'to'],
      message: 'is no address '.repeat(200),
    }));
    const error = await failure({ status: 400, body: validation(all) });
    const message = expect.stringMatching(/^is no address .*… and 2400 more characters$/);
    expect(error.issues).toEqual(all.map(({ path }) => ({ path, message })));
  });

  test('names as many issues as fit, and the number of others', async () => {
    const all = Array.from({ length: 5000 }, (_, row) => ({
      path: [row, 'to'],
      message: 'is not',
    }));
    const error = await failure({ status: 400, body: validation(all) });
    const issues = [error.issues].flat();
    expect(issues.length).toBeGreaterThan(1000);
    expect(issues.slice(0, -1)).toEqual(all.slice(0, issues.length - 1));
    const left = all.length - (issues.length - 1);
    expect(issues.at(-1)).toEqual({ path: [], message: `and ${left} more` });
    expect(error.message).toMatch(/; and 4,980 more$/);
  });

  test.each([
    [503, 7, 'unavailable'],
    [403, 3, 'auth'],
    [200, 8, 'bad_reply'],
  ])('is also cut with a %i', async (status, exitCode, code) => {
    const error = await failure({ status, body: { error: huge } }, 'domain list');
    expect(error).toMatchObject({ exitCode, code });
    expect(error.message.length).toBeLessThan(2200);
    expect(error.message).toMatch(/… and 1998000 more characters$/);
  });

  test('is cut the same for a row of a bulk run', async () => {
    const { run, file, world } = await connected({ status: 400, body: { error: huge } });
    const row = { to: 'a@example.org', from: 'b@example.com', subject: 'S', text: 'T' };
    const flags = '--keep-going --yes --json --results results.jsonl';
    const { exitCode } = await run(`email batch ${file('rows.json', [row])} ${flags}`);
    expect(exitCode).toBe(11);
    const results = readFileSync(join(world.home, 'results.jsonl'), 'utf8');
    expect(results).toContain('1998000 more characters');
    expect(results.length).toBeLessThan(5000);
  });

  test('shows more of itself with --debug', async () => {
    const { run } = await connected({ status: 400, body: { error: huge } });
    const { stderr } = await run(`${get} --debug`);
    expect(stderr).toContain(huge.slice(0, 3900));
    expect(stderr.length).toBeLessThan(20_000);
  });

  test.each([1, 6, 10, key.length])(
    'leaves no part of a key where it is cut: %i',
    async (before) => {
      const text = `${' '.repeat(2000 - before)}${key}${huge}`;
      const answer = { status: 400, body: { error: text } };
      const { run } = await connected(answer, answer);
      for (const words of [get, `${get} --json`]) {
        const { stderr } = await run(words);
        expect(stderr).toContain('more characters');
        expect(stderr).not.toContain(key.slice(0, 6));
      }
    },
  );
});

describe('hints', () => {
  test('401 names the variable whose key was rejected', async () => {
    const { hint } = await failure({ status: 401, body: { error: 'x' } });
    expect(hint).toContain('Set MAILER_API_KEY to another one');
  });

  test('403 shows the base URL, which may be the wrong one', async () => {
    const body = { error: { code: 'FORBIDDEN', message: 'Invalid API token' } };
    const { message, hint, baseUrl } = await failure({ status: 403, body });
    expect(message).toBe('Invalid API token');
    expect(hint).toContain(baseUrl);
  });

  test('404 of a missing object does not mention the base URL', async () => {
    const thing = await failure({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'No' } },
    });
    expect(thing.hint ?? '').not.toContain(thing.baseUrl);
    const bare = await failure({ status: 404, body: { error: 'Email not found' } });
    expect(bare.hint ?? '').not.toContain(bare.baseUrl);
  });

  test('a conflict of a request without an idempotency key does not mention one', async () => {
    const { hint } = await failure({ status: 409, body: { error: 'busy' } }, 'email cancel em_1');
    expect(hint ?? '').not.toContain('idempotency');
  });
});

test('an error as text: Error, the request id, then Hint; stdout empty', async () => {
  const body = { error: { code: 'FORBIDDEN', message: 'Invalid API token' } };
  const { run } = await connected({ status: 403, body, headers: { 'x-request-id': 'req-1' } });
  const { stdout, stderr } = await run(get);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Error: Invalid API token\nRequest id: req-1\nHint: [^\n]+\n$/);
});

test('with --json, stderr has the error without notes about ignored values', async () => {
  const { run } = await connected({ status: 400, body: { error: 'no' } });
  const outcome = await run(`${get} --json`, { terminal: 80 });
  expect(JSON.parse(outcome.stderr)).toMatchObject({ error: { code: 'rejected' } });
});

test('the body of an error, which may be large, is parsed once', async () => {
  const body = JSON.stringify({ error: { message: 'Email not found' } });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const headers = { 'content-type': 'application/json' };
  expect(await failure({ status: 404, body, headers })).toMatchObject({ exitCode: 4 });
  expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
});

test('a closed port is 7, and the error names the address', async () => {
  const { run, service } = await connected();
  await service.close();
  const outcome = await run(`${get} --json`);
  expect(outcome.exitCode).toBe(7);
  const { code, message } = errorOf(outcome);
  expect(code).toBe('unavailable');
  expect(message).toContain(new URL(service.url).host);
});

test('a name that does not exist is 7, at once', async () => {
  const world = createWorld({
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: 'https://does-not-exist.invalid/api',
  });
  const outcome = await world.run(`${get} --json`);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).message).toContain('does-not-exist.invalid');
});
