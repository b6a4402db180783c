import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const json = { 'content-type': 'application/json' };
const raw = (body: string, headers: Readonly<Record<string, string>> = json): Answer => ({
  headers,
  body,
});

/** How a GET with this response is shown. */
async function shown(answer: Answer, flags = '', options: { terminal?: number } = {}) {
  const { run } = await connected(answer);
  return await run(`api GET /v1/x --retries 0 ${flags}`, options);
}

/** Stdout of a GET that succeeds and prints nothing on stderr. */
async function output(answer: Answer, flags = '', options: { terminal?: number } = {}) {
  const { exitCode, stdout, stderr } = await shown(answer, flags, options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const odd =
  '{ "b": 12345678901234567890, "1": 1.10,\n "b": "\\u0041\u009b\u202e", "big": 1e400, "zero": -0 }';

describe('in a pipe', () => {
  test.each(['', '--json'])('the body is unmodified, with a line end (%s)', async (flags) => {
    expect(await output(raw(odd), flags)).toBe(`${odd}\n`);
    expect(await output(raw(`${odd}\n`), flags)).toBe(`${odd}\n`);
    expect(await output(raw('12345678901234567890'), flags)).toBe('12345678901234567890\n');
    expect(await output(raw('null'), flags)).toBe('null\n');
  });

  test('text is unmodified', async () => {
    const text = 'one\r\n\ttwo \u001b[31m\u202e';
    expect(await output(raw(text, { 'content-type': 'text/plain' }))).toBe(text);
  });

  test.each(['', '--json', '--jsonl', '--csv', '--fields a', '--quiet', '--paginate'])(
    'an empty body prints nothing (%s)',
    async (flags) => {
      expect(await output({ status: 204, body: '' }, flags)).toBe('');
    },
  );
});

describe('on a terminal', () => {
  const terminal = { terminal: 80 };

  test.each(['', '--json'])('JSON is indented, its numbers unmodified (%s)', async (flags) => {
    const text = await output(
      raw('{"a":[12345678901234567890,1.10],"b":"\u009b\u202e"}'),
      flags,
      terminal,
    );
    expect(text).toBe(
      '{\n  "a": [\n    12345678901234567890,\n    1.10\n  ],\n  "b": "\\u009b\\u202e"\n}\n',
    );
    expect(await output(raw('12345678901234567890'), flags, terminal)).toBe(
      '12345678901234567890\n',
    );
  });

  test('control characters of text are made visible', async () => {
    const text = 'one\r\ntwo \u001b]0;owned\u0007\u202e';
    expect(await output(raw(text, {}), '', terminal)).toBe(
      'one\ntwo \\x1b]0;owned\\x07\\u{202e}\n',
    );
  });

  test('control characters of headers are made visible', async () => {
    const answer = raw('{}', { 'x-odd': 'a\u009bb' });
    const text = await output(answer, '--include', terminal);
    expect(text).toContain('x-odd: a\\x9bb\n');
  });
});

test('JSON nested deeper than the stack is shown as text', async () => {
  const deep = `${'['.repeat(50_000)}1.10${']'.repeat(50_000)}`;
  for (const options of [{}, { terminal: 80 }]) {
    expect(await output(raw(deep), '', options)).toBe(`${deep}\n`);
  }
});

describe('what is not JSON', () => {
  const page = raw('<html>Log in</html>', { 'content-type': 'text/html' });

  test.each(['--json', '--jsonl', '--csv', '--fields a', '--quiet', '--paginate'])(
    'is 8 with %s',
    async (flags) => {
      const outcome = await shown(page, flags);
      expect({ exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({
        exitCode: 8,
        stdout: '',
      });
      expect(outcome.stderr).toContain('returned a web page instead of JSON');
      expect((await shown(raw('fine', {}), flags)).exitCode).toBe(8);
    },
  );

  test('is 8 on a later page', async () => {
    const { run } = await connected(raw('[{"id":1}]'), page);
    const outcome = await run('api GET /v1/x --paginate --jsonl');
    expect(outcome).toMatchObject({ exitCode: 8, stdout: '{"id":1}\n' });
  });

  test('is shown unmodified without an output flag, a web page with --include only', async () => {
    expect(await output(raw('fine', {}))).toBe('fine');
    const outcome = await shown(page, '');
    expect({ exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({
      exitCode: 8,
      stdout: '',
    });
    expect(outcome.stderr).toContain('returned a web page instead of JSON');
    expect(await output(page, '--include')).toContain('<html>Log in</html>');
  });

  test('a page in place of the response to a change: it may have been made', async () => {
    const { run } = await connected(page);
    const { exitCode, stderr } = await run('api POST /v1/domains/1/verify');
    expect(exitCode).toBe(8);
    expect(stderr).toContain('returned a web page instead of JSON');
  });
});

describe('a key that the service sends back', () => {
  test.each(['', '--json', '--include', '--include --json', '--fields a', '--jsonl', '--csv'])(
    'is not shown (%s)',
    async (flags) => {
      const answer = { headers: { ...json, 'x-echo': `Bearer ${key}` }, body: { a: key } };
      const text = await output(answer, flags);
      expect(text).toContain('***');
      expect(text).not.toContain(key);
    },
  );
});

describe('--include', () => {
  const headers = { ...json, 'x-request-id': 'req-1' };

  test('shows status and headers before the body', async () => {
    for (const flag of ['-i', '--include']) {
      const text = await output({ status: 201, headers, body: '{"a": 1.10}' }, flag);
      expect(text).toMatch(
        /^HTTP 201 Created\ndate: [^\n]+\ncontent-type: application\/json\nx-request-id: req-1\n/,
      );
      expect(text).toMatch(/\n[\w-]+: [^\n]+\n\n\{"a": 1\.10\}\n$/);
    }
  });

  test('shows them for a response without a body', async () => {
    expect(await output({ status: 204, body: '' }, '-i')).toMatch(
      /^HTTP 204 No Content\n(.+\n)+\n$/,
    );
  });

  test('is a document with --json', async () => {
    const text = await output({ headers, body: '{ "a": 12345678901234567890 }' }, '-i --json');
    expect(JSON.parse(text)).toMatchObject({
      status: 200,
      headers,
      body: {},
    });
    expect(text).toContain('"body":{ "a": 12345678901234567890 }');
    const plain = await output(raw('a "text"', {}), '-i --json');
    expect(JSON.parse(plain)).toMatchObject({ status: 200, body: 'a "text"' });
    const none = await output({ status: 204, body: '' }, '-i --json');
    expect(JSON.parse(none)).toMatchObject({ status: 204, body: null });
  });

  test.each([
    [{ status: 400, body: { error: { message: 'No' } } }, 1, 'HTTP 400 Bad Request', 'Error: No'],
    [{ status: 404, body: '404 Not Found' }, 4, 'HTTP 404 Not Found', 'Error: 404 Not Found'],
    [{ status: 503, body: 'down' }, 7, 'HTTP 503 Service Unavailable', 'Error: The service'],
    [{ status: 599, body: 'odd' }, 7, 'HTTP 599', 'Error: The service'],
    [{ status: 304, body: '' }, 8, 'HTTP 304 Not Modified', 'Error: The service'],
  ])('also shows a rejection, with its exit code: %j', async (answer, exitCode, first, error) => {
    const outcome = await shown(answer, '-i');
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout.split('\n')[0]).toBe(first);
    const body = typeof answer.body === 'string' ? answer.body : `${JSON.stringify(answer.body)}\n`;
    expect(outcome.stdout.endsWith(`\n\n${body}`)).toBe(true);
    expect(outcome.stderr).toContain(error);
  });

  test('leaves stdout empty for a rejection with --json', async () => {
    const outcome = await shown({ status: 404, body: { error: 'No' } }, '-i --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome)).toMatchObject({ code: 'not_found', message: 'No' });
  });

  test('shows nothing if the service does not respond', async () => {
    const { run, service } = await connected();
    await service.close();
    const outcome = await run('api GET /v1/x -i --retries 0');
    expect(outcome).toMatchObject({ exitCode: 7, stdout: '' });
  });

  test.each(['--jsonl', '--csv', '--fields a', '--quiet', '--paginate'])(
    'cannot be used together with %s',
    async (flags) => {
      const { run, service } = await connected();
      expect((await run(`api GET /v1/x -i ${flags}`)).exitCode).toBe(2);
      expect(service.requests).toEqual([]);
    },
  );
});

test('without --include, stdout stays empty for a rejection', async () => {
  const outcome = await shown({ status: 404, body: { error: 'No' } });
  expect(outcome).toEqual({ exitCode: 4, stdout: '', stderr: 'Error: No\n' });
});

const rows = '[{"id":"a","n":1.10,"in":{"x":1}},{"id":"b","m":12345678901234567890}]';

describe.each([
  ['an array', rows],
  ['an object with an array', `{"count":2,"rows":${rows},"tags":["x"]}`],
])('a list that is %s', (_, list) => {
  test('has a row on each line with --jsonl', async () => {
    expect(await output(raw(list), '--jsonl')).toBe(
      '{"id":"a","n":1.10,"in":{"x":1}}\n{"id":"b","m":12345678901234567890}\n',
    );
    expect(await output(raw(list), '--jsonl --fields n,in.x')).toBe(
      '{"n":1.10,"in":{"x":1}}\n{"n":null,"in":{"x":null}}\n',
    );
  });

  test('has all columns with --csv', async () => {
    expect(await output(raw(list), '--csv')).toBe(
      'id,n,in,m\r\na,1.10,"{""x"":1}",\r\nb,,,12345678901234567890\r\n',
    );
    expect(await output(raw(list), '--csv --fields n,id')).toBe('n,id\r\n1.10,a\r\n,b\r\n');
  });

  test('has columns whose names contain dots', async () => {
    const text = '[{"a.b":1,"a":{"b":2,"c":3}}]';
    expect(await output(raw(text), '--csv --fields a.b,a.c')).toBe('a.b,a.c\r\n1,3\r\n');
    expect(await output(raw(text), '--csv')).toMatch(/^a\.b,a\r\n1,/);
  });

  test('prints its ids with --quiet', async () => {
    expect(await output(raw(list), '-q')).toBe('a\nb\n');
  });

  test('is a table with --fields', async () => {
    expect(await output(raw(list), '--fields id,n')).toBe('id\tn\na\t1.10\nb\t\n');
    expect(await output(raw(list), '--fields id,n --no-color', { terminal: 80 })).toBe(
      'ID  N\na   1.10\nb\n',
    );
  });

  test('with --json --fields, keeps what surrounds its rows', async () => {
    const picked = '[{"id":"a"},{"id":"b"}]';
    expect(await output(raw(list), '--json --fields id')).toBe(
      list === rows ? `${picked}\n` : `{"count":2,"rows":${picked},"tags":["x"]}\n`,
    );
  });
});

describe('an empty list', () => {
  test.each(['[]', '{"data":[],"count":0}'])('%s', async (list) => {
    expect(await output(raw(list), '--jsonl')).toBe('');
    expect(await output(raw(list), '-q')).toBe('');
    expect(await output(raw(list))).toBe(`${list}\n`);
    const csv = await shown(raw(list), '--csv --fields id');
    expect(csv).toEqual({ exitCode: 0, stdout: 'id\r\n', stderr: 'No rows.\n' });
    expect((await shown(raw(list), '--csv')).stdout).toBe('');
  });
});

describe('one thing', () => {
  const thing = '{"id":"a","n":1.10,"events":[{"id":"e"}],"to":["x"]}';

  test('is one row, even with lists in it', async () => {
    expect(await output(raw(thing), '-q')).toBe('a\n');
    expect(await output(raw(thing), '--jsonl')).toBe(`${thing}\n`);
    expect(await output(raw(thing), '--csv --fields id,n,to')).toBe('id,n,to\r\na,1.10,x\r\n');
    expect(await output(raw(thing), '--csv')).toMatch(/^id,n,events,to\r\na,1\.10,/);
  });

  test('has a line for each field, as other commands show it', async () => {
    expect(await output(raw(thing), '--fields n,events.id')).toBe('n\t1.10\nevents.id\te\n');
    expect(await output(raw(thing), '--json --fields n')).toBe('{"n":1.10}\n');
    expect(await output(raw(thing), '--jsonl --fields n')).toBe('{"n":1.10}\n');
  });

  test.each([
    ['{"emailId":"em_1"}', 'em_1\n'],
    ['{"data":[{"emailId":"em_1"},{"emailId":"em_2"}]}', 'em_1\nem_2\n'],
    ['{"id":12345678901234567890}', '12345678901234567890\n'],
    ['{"id":"a","contactBookId":"b"}', 'a\n'],
    ['{"contactBookId":"b","domainId":1}', ''],
    ['{"success":true}', ''],
    ['[{"id":"a"},{"name":"b"},{"id":null}]', 'a\n'],
    ['["a","b"]', ''],
    ['5', ''],
  ])('%s has these ids', async (text, ids) => {
    expect(await output(raw(text), '--quiet')).toBe(ids);
  });

  test('has no field of another name, which is an error', async () => {
    expect(await shown(raw(thing), '--fields event')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'Error: --fields: there is no field event\nHint: Did you mean events? Fields: id, n, events, to\n',
    });
  });
});

describe('other JSON', () => {
  test.each(['["a",1]', '5', '"x"', '[[{"a":1}]]'])('%s is one line, and no CSV', async (text) => {
    expect(await output(raw(text), '--jsonl')).toBe(`${text}\n`);
    const outcome = await shown(raw(text), '--csv');
    expect({ exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({
      exitCode: 8,
      stdout: '',
    });
    expect(outcome.stderr).toContain('objects to show as CSV');
  });

  test('with two lists is one row', async () => {
    const text = '{"a":[{"x":1}],"b":[{"y":2}]}';
    expect(await output(raw(text), '--jsonl')).toBe(`${text}\n`);
  });
});

describe('the setting output=json', () => {
  const text = raw('text', {});

  /** How these responses are shown with these flags under the setting, in turn. */
  async function underSetting(flags: readonly string[], ...answers: readonly Answer[]) {
    const { run, world } = await connected(...answers);
    await world.run('config set output json');
    const outcomes = [];
    for (const flag of flags) outcomes.push(await run(`api GET /v1/x ${flag}`, { terminal: 200 }));
    return outcomes;
  }

  test('is --json, without the flag', async () => {
    const [same, head, other] = await underSetting(['', '-i', ''], raw(odd), raw('{}'), text);
    expect(same?.stdout).toContain('"big": 1e400');
    expect(JSON.parse(head?.stdout ?? '')).toMatchObject({ status: 200 });
    expect(other).toMatchObject({ exitCode: 8, stdout: '' });
    expect(JSON.parse(other?.stderr ?? '')).toMatchObject({ error: { code: 'bad_reply' } });
  });

  test('is overridden by flags', async () => {
    const list = raw('[{"id":"a","n":1.10}]');
    const flags = ['-q', '--csv', '--fields n', '--paginate'];
    const outcomes = await underSetting(flags, list, list, list, list, raw('[]'));
    expect(outcomes.map(({ stdout }) => stdout.replace(/ |\n(?=.)/g, ''))).toEqual([
      'a\n',
      'id,n\ra,1.10\r\n',
      '[{"n":1.10}]\n',
      '[{"id":"a","n":1.10}]\n',
    ]);
  });
});

test('a document with one list among its parts is one thing, whose fields can be asked for', async () => {
  const line = 'api GET /v1/doc --sandbox --fields openapi,info.title --json';
  const { exitCode, stdout, stderr } = await createWorld().run(line);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ openapi: '3.1.0', info: { title: expect.any(String) } });
});
