import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { connected, errorOf, key } from '../support/connected.ts';
import { enter } from '../support/keys.ts';
import { createWorld } from '../support/run.ts';

const ok = { body: { ok: true } };

/** The one request that a command line sends. */
async function sent(words: string | readonly string[], stdin?: string) {
  const { run, service } = await connected(ok);
  const args = typeof words === 'string' ? words.split(' ') : words;
  const outcome = await run(['api', ...args, '--yes'], stdin === undefined ? {} : { stdin });
  expect(outcome).toEqual({ exitCode: 0, stdout: '{"ok":true}\n', stderr: '' });
  expect(service.requests).toHaveLength(1);
  const [request] = service.requests;
  if (request === undefined) throw new Error('no request');
  return request;
}

/** The body of a POST with these flags. */
async function body(...flags: readonly string[]): Promise<unknown> {
  return JSON.parse((await sent(['POST', '/v1/things', ...flags])).body);
}

/** Expects a usage error, and no request. */
async function refused(words: readonly string[], stdin?: string) {
  const { run, service } = await connected();
  const outcome = await run(['api', ...words, '--json'], stdin === undefined ? {} : { stdin });
  expect(service.requests).toEqual([]);
  const error = errorOf(outcome);
  expect({ exitCode: outcome.exitCode, code: error.code }).toEqual({ exitCode: 2, code: 'usage' });
  return error;
}

describe('method and path', () => {
  test.each([
    ['GET /v1/doc', 'GET', '/api/v1/doc'],
    ['get v1/doc', 'GET', '/api/v1/doc'],
    ['Put /v1/domains/1/verify', 'PUT', '/api/v1/domains/1/verify'],
    ['PATCH /v1/x', 'PATCH', '/api/v1/x'],
    ['delete /v1/x/', 'DELETE', '/api/v1/x/'],
    ['GET /v1/x?a=1&b=%20&a=2', 'GET', '/api/v1/x?a=1&b=%20&a=2'],
    ['GET /v1/x?next=/../y', 'GET', '/api/v1/x?next=/../y'],
    ['GET /v1/a..b/c%2Fd/...', 'GET', '/api/v1/a..b/c%2Fd/...'],
    ['GET /v1/a:b@c', 'GET', '/api/v1/a:b@c'],
    ['GET @evil.example/x', 'GET', '/api/@evil.example/x'],
  ])('%s', async (words, method, path) => {
    expect(await sent(words)).toMatchObject({ method, path });
  });

  test('characters that a URL cannot contain are encoded', async () => {
    expect((await sent(['GET', '/v1/x y/é?q=a b '])).path).toBe('/api/v1/x%20y/%C3%A9?q=a%20b%20');
  });

  test('without fields there is neither body nor Content-Type', async () => {
    for (const method of ['GET', 'DELETE', 'POST']) {
      const { headers, body } = await sent(`${method} /v1/x`);
      expect(body).toBe('');
      expect(headers).not.toHaveProperty('content-type');
      expect(headers.authorization).toBe(`Bearer ${key}`);
    }
  });

  test.each([
    [['FETCH', '/v1/x'], /METHOD: "FETCH" is not one of GET, POST, PUT, PATCH, DELETE/],
    [['HEAD', '/v1/x'], /METHOD/],
    [['GET', ''], /PATH is empty/],
    [['GET', '?page=1'], /PATH is empty/],
    [['GET', '/v1/../admin'], /\.\./],
    [['GET', '..'], /\.\./],
    [['GET', '/v1/./x'], /\.\./],
    [['GET', '/v1/%2e%2e/admin'], /\.\./],
    [['GET', '/v1/.%2E/admin'], /\.\./],
    [['GET', '/v1/%252e%252e/admin'], /\.\./],
    [['GET', '/v1/..%2fadmin'], /\.\./],
    [['GET', '/v1/..%5Cadmin'], /\.\./],
    [['GET', '/v1\\..\\admin'], /backslash/],
    [['GET', '/v1/a\tb'], /control characters/],
    [['GET', '/v1/.\n./x'], /control characters/],
    [['GET', '/v1/x#y'], /fragment/],
    [['GET', '//evil.example/v1/x'], /begin with/],
  ])('%j is refused', async (words, message) => {
    expect((await refused(words)).message).toMatch(message);
  });

  test('a missing path is a usage error', async () => {
    expect((await createWorld().run('api')).exitCode).toBe(2);
    expect(errorOf(await createWorld().run('api post -f a=b --json'))).toMatchObject({
      code: 'usage',
      message: 'PATH is missing',
    });
    expect((await createWorld().run('api GET /v1/doc more')).exitCode).toBe(2);
  });
});

describe('without a method', () => {
  test.each([
    ['GET', 'api /v1/x', ''],
    ['GET', 'api --debug --profile= /v1/x', ''],
    ['POST', 'api /v1/x -f a=b', '{"a":"b"}'],
    ['POST', 'api -F a=1 /v1/x', '{"a":1}'],
    ['POST', 'api /v1/x --input body.json', '{}'],
    ['DELETE', 'api DELETE /v1/x --yes', ''],
    ['GET', 'api -- /v1/x', ''],
  ])('it is %s: %s', async (method, line, body) => {
    const { run, service, file } = await connected(ok);
    file('body.json', '{}');
    expect((await run(line)).exitCode).toBe(0);
    expect(service.requests).toMatchObject([{ method, path: '/api/v1/x', body }]);
  });

  test('an empty one counts as absent', async () => {
    const { run, requests } = await connected(ok);
    expect((await run(['api', '', '/v1/x'])).exitCode).toBe(0);
    expect(requests()).toEqual(['GET /api/v1/x']);
  });
});

describe('a whole URL', () => {
  test('below the base URL is taken', async () => {
    const { run, service } = await connected(ok, ok);
    await run(['api', 'GET', `${service.baseUrl}/v1/x?a=b%20c`]);
    await run(['api', 'GET', `${service.baseUrl.replace('http', 'HTTP')}/v1/y`]);
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/v1/x?a=b%20c', '/api/v1/y']);
  });

  test.each([
    ['https://evil.example/api/v1/x'],
    ['http://127.0.0.1:1/api/v1/x'],
    ['javascript:alert(1)'],
    ['http://['],
    ['file:///etc/passwd'],
  ])('elsewhere is an error: %s', async (url) => {
    const { message, hint } = await refused(['GET', url]);
    expect(message).toMatch(/^PATH is not below the base URL http:/);
    expect(hint).toContain('The key is sent nowhere else');
  });

  test.each([
    (base: string) => base,
    (base: string) => `${base}2/v1/x`,
    (base: string) => `${base.replace('/api', '')}/v1/x`,
    (base: string) => `${base.replace('http:', 'https:')}/v1/x`,
    (base: string) => `${base.replace('//', '//name:secret@')}/v1/x`,
    (base: string) => `${base}/../v1/x`,
  ])('that only resembles it is an error (%#)', async (change) => {
    const { run, service } = await connected();
    const outcome = await run(['api', 'GET', change(service.baseUrl)]);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr).not.toContain('secret');
    expect(service.requests).toEqual([]);
  });

  test('that a Windows shell has converted from a path gets a hint', async () => {
    const { hint } = await refused(['GET', 'C:/Program Files/Git/v1/doc']);
    expect(hint).toContain('leave out the first slash');
  });

  test('is also compared with the base URL in a dry run', async () => {
    const line = 'api GET https://mail.example.com/api/v1/x --dry-run';
    const world = createWorld();
    const { exitCode, stderr } = await world.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('there is no base URL');
    const known = await world.run([
      ...line.split(' '),
      '--base-url',
      'https://mail.example.com/api',
    ]);
    expect(known.stdout).toMatch(/^GET https:\/\/mail\.example\.com\/api\/v1\/x\n/);
  });
});

describe('fields', () => {
  test('of a GET are its query, after that of the path, in the order given', async () => {
    const words = ['GET', '/v1/x?a=0', '-f', 'a=1', '-F', 'n=5', '-f', 'a=b c&d', '-fe[]=é'];
    const { path, body } = await sent(words);
    expect(path).toBe('/api/v1/x?a=0&a=1&n=5&a=b+c%26d&e%5B%5D=%C3%A9');
    expect(body).toBe('');
  });

  test.each([
    ['n=12345678901234567890', '?n=12345678901234567890'],
    ['n=1.10', '?n=1.10'],
    ['n=true', '?n=true'],
    ['n="a"', '?n=a'],
    ['n=""', '?n='],
  ])('of a GET as JSON: -F %s', async (field, query) => {
    expect((await sent(['GET', '/v1/x', '-F', field])).path).toBe(`/api/v1/x${query}`);
  });

  test.each(['n=null', 'n=[1]', 'n={"a":1}', 'n= {}'])(
    '-F %s is an error in a query',
    async (field) => {
      expect((await refused(['GET', '/v1/x', '-F', field])).message).toContain('a single value');
    },
  );

  test('of other methods are the JSON body, as strings', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const request = await sent([method, '/v1/x', '-f', 'name=Ana', '--raw-field', 'n=5']);
      expect(request.body).toBe('{"name":"Ana","n":"5"}');
      expect(request.headers['content-type']).toBe('application/json');
    }
  });

  test('may be empty, contain = and @, and have any name', async () => {
    expect(
      await body('-f', 'a=', '-f', 'b=c=d', '-f', 'e=@file', '-f', '__proto__=x', '-f', '1=2'),
    ).toEqual(JSON.parse('{"1":"2","a":"","b":"c=d","e":"@file","__proto__":"x"}'));
  });

  test('have other JSON types with -F', async () => {
    const flags = [
      '-F',
      'a=5',
      '-F',
      'b=true',
      '-F',
      'c=null',
      '-F',
      'd=["x",1]',
      '--field',
      'e={"f":"g"}',
    ];
    expect(await body(...flags)).toEqual({ a: 5, b: true, c: null, d: ['x', 1], e: { f: 'g' } });
  });

  test('keep numbers as written', async () => {
    const { body } = await sent([
      'POST',
      '/v1/x',
      '-F',
      'a=12345678901234567890',
      '-F',
      'b=[1.10]',
    ]);
    expect(body).toBe('{"a":12345678901234567890,"b":[1.10]}');
  });

  test('nest with brackets', async () => {
    const flags = [
      '-f',
      'p[a]=1',
      '-F',
      'p[b][c]=true',
      '-f',
      'to[]=x',
      '-F',
      'to[]=3',
      '--raw-field=to[]=y',
    ];
    expect(await body(...flags, '-f', 'p[__proto__]=z')).toEqual(
      JSON.parse('{"p":{"a":"1","b":{"c":true},"__proto__":"z"},"to":["x",3,"y"]}'),
    );
    expect(await body('-f', 'a[b][]=1', '-f', 'a[b][]=2')).toEqual({ a: { b: ['1', '2'] } });
  });

  test.each([
    [['-f', 'name'], /-f: "name" is not name=value/],
    [['-f', '=value'], /-f: "=value" is not name=value/],
    [['-F', 'name'], /-F: "name" is not name=json/],
    [['-F', 'a=yes'], /-F: the value of a is not JSON/],
    [['-F', 'a='], /-F: the value of a is not JSON/],
    [['-F', 'a=@file'], /-F: the value of a is not JSON/],
    [['-f', 'a=1', '-f', 'a=2'], /-f: a conflicts/],
    [['-f', 'a=1', '-F', 'a=2'], /-F: a conflicts/],
    [['-F', 'a=null', '-f', 'a[b]=2'], /-f: a\[b\] conflicts|-F: a conflicts/],
    [['-f', 'a[]=1', '-f', 'a[b]=2'], /a\[b\] conflicts/],
    [['-f', 'a[b]=1', '-f', 'a[]=2'], /a\[\] conflicts/],
    [['-f', 'a[b]=1', '-F', 'a={}'], /-F: a conflicts/],
    [['-F', 'a[]=1', '-F', 'a=[]'], /-F: a conflicts/],
    [['-F', 'a=[]', '-F', 'a[]=1'], /a\[\] conflicts/],
    [['-F', 'a=1.0', '-F', 'a[b]=1'], /a\[b\] conflicts/],
    [['-f', 'a[=1'], /"a\[" is not a name/],
    [['-f', '[a]=1'], /"\[a\]" is not a name/],
    [['-f', '[]=1'], /"\[\]" is not a name/],
    [['-f', 'a[][b]=1'], /"a\[\]\[b\]" is not a name/],
    [['-f', 'a[b]c=1'], /"a\[b\]c" is not a name/],
  ])('%j are errors', async (flags, message) => {
    expect((await refused(['POST', '/v1/x', ...flags])).message).toMatch(message);
  });
});

describe('--input', () => {
  const json = '{ "n": 12345678901234567890,\n  "n": "é", "x": 1.10 }\n';

  test('sends a file unmodified', async () => {
    const { run, service, file } = await connected(ok, ok, ok);
    const name = file('body.json', json);
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect((await run(['api', method, '/v1/x', '--input', name, '--yes'])).exitCode).toBe(0);
    }
    expect(service.requests.map(({ body }) => body)).toEqual([json, json, json]);
    expect(service.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('sends stdin unmodified, any type of JSON', async () => {
    expect((await sent('POST /v1/x --input -', json)).body).toBe(json);
    expect((await sent('POST /v1/x?a=b --input=-', '[1]')).body).toBe('[1]');
    expect((await sent('POST /v1/x --input -', '"text"')).body).toBe('"text"');
  });

  test('that is empty counts as absent', async () => {
    expect((await sent(['POST', '/v1/x', '--input', ''])).body).toBe('');
    expect((await sent(['POST', '/v1/x', '--input=', '-f', 'a=b'])).body).toBe('{"a":"b"}');
    expect((await sent(['GET', '/v1/x', '--input', ''])).path).toBe('/api/v1/x');
  });

  test('also works with --no-input', async () => {
    expect((await sent('POST /v1/x --input - --no-input', '{}')).body).toBe('{}');
    expect((await sent('POST /v1/x --no-input --input -', '{}')).body).toBe('{}');
  });

  test.each([
    [['POST', '/v1/x', '--input', '-'], '{"a":', /--input: stdin is not JSON/],
    [['POST', '/v1/x', '--input', '-'], '', /--input: stdin is not JSON/],
    [['POST', '/v1/x', '--input', 'none.json'], '', /--input: none\.json does not exist/],
    [['GET', '/v1/x', '--input', '-'], '{}', /GET has no body/],
    [['POST', '/v1/x', '--input', '-', '-f', 'a=b'], '{}', /cannot be used together/],
    [['POST', '/v1/x', '--input', '-', '-F', 'a=1'], '{}', /cannot be used together/],
  ])('%j is refused', async (words, stdin, message) => {
    expect((await refused(words, stdin)).message).toMatch(message);
  });
});

describe('DELETE', () => {
  test.each(['DELETE', 'delete'])('%s without a terminal needs --yes', async (method) => {
    const { message, hint } = await refused([method, '/v1/things/1?force=a b']);
    expect(message).toContain('DELETE /v1/things/1?force=a%20b');
    expect(hint).toBe('To confirm, add --yes.');
  });

  test('does not ask if the request is invalid', async () => {
    expect((await refused(['DELETE', '/v1/x', '-f', 'a'])).message).toContain('-f: "a"');
    expect((await refused(['DELETE', '/v1/x', '--paginate'])).message).toContain('is for GET');
  });

  test('asks nothing under --dry-run', async () => {
    const { exitCode, stdout } = await createWorld().run('api DELETE /v1/x --dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^DELETE \{base_url\}\/v1\/x\n/);
  });
});

describe('--dry-run', () => {
  test('shows the request and needs no key', async () => {
    const words = [
      'api',
      'post',
      'v1/x?a=b',
      '-f',
      'c=d',
      '-F',
      'n=12345678901234567890',
      '--dry-run',
    ];
    const { exitCode, stdout, stderr } = await createWorld().run(words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Dry run: nothing was sent.\n' });
    expect(stdout).toMatch(/^POST \{base_url\}\/v1\/x\?a=b\nauthorization: Bearer \*\*\*\n/);
    expect(stdout).toContain('"n": 12345678901234567890\n');
  });

  test('shows it as JSON', async () => {
    const { run, service } = await connected();
    const stdin = '{"n":1.10}';
    const { stdout } = await run('api PUT /v1/x --input - --dry-run --json', { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'PUT',
      url: `${service.baseUrl}/v1/x`,
      headers: { 'content-type': 'application/json' },
    });
    expect(stdout).toContain('"n":1.10');
    expect(stdout).not.toContain(key);
    expect(service.requests).toEqual([]);
  });

  test('does not send a GET either', async () => {
    const { run, service } = await connected();
    const { stdout } = await run('api GET /v1/x -f a=b --paginate --dry-run');
    expect(stdout).toMatch(/^GET http.*\/v1\/x\?a=b\n/);
    expect(service.requests).toEqual([]);
  });
});

describe('on the sandbox', () => {
  test('operations without a command: create a book, a contact, pause a campaign', async () => {
    const world = createWorld();
    const run = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await world.run(['api', ...words, '--sandbox']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    const asked = ['-f', 'name=Customers', '-F', 'doubleOptInEnabled=false'];
    const book = await run('POST', '/v1/contactBooks', ...asked);
    expect(book).toMatchObject({ name: 'Customers', doubleOptInEnabled: false });
    const contacts = `/v1/contactBooks/${book.id}/contacts`;
    const fields = [
      '-f',
      'email=ana@example.org',
      '-f',
      'properties[plan]=pro',
      '-F',
      'subscribed=true',
    ];
    const { contactId } = await run('POST', contacts, ...fields);
    expect(await run('GET', `${contacts}/${contactId}`)).toMatchObject({
      email: 'ana@example.org',
      properties: { plan: 'pro' },
      subscribed: true,
    });
    const filter = ['-f', 'emails=ben@example.org'];
    expect(await run('GET', contacts, ...filter)).toEqual([]);
    const campaign = await run(
      ...['POST', '/v1/campaigns', '-f', 'name=News', '-f', 'from=hello@example.com'],
      ...['-f', 'subject=News', '-f', `contactBookId=${book.id}`, '-F', 'sendNow=true'],
      ...['-f', 'html=<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>'],
    );
    expect(await run('POST', `/v1/campaigns/${campaign.id}/pause`)).toEqual({ success: true });
    expect(await run('GET', `/v1/campaigns/${campaign.id}`)).toMatchObject({ status: 'PAUSED' });
    expect(await run('DELETE', `/v1/contactBooks/${book.id}`, '--yes')).toMatchObject({
      id: book.id,
    });
  });

  test('an unknown path: 4, and named', async () => {
    const outcome = await createWorld().run('api GET /v1/nothing --sandbox --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome)).toMatchObject({
      code: 'not_offered',
      message: 'This service does not offer GET /v1/nothing.',
      status: 404,
    });
    expect(outcome.stderr).not.toContain('base URL');
    expect(errorOf(outcome).hint).toBe(
      'Check method and path. To see what the service offers: mailer api /v1/doc --sandbox',
    );
    const twice = await createWorld().run('api /api/v1/domains --sandbox --json');
    expect(errorOf(twice).hint).toBe('The path begins after the base URL, so leave out /api.');
  });
});

test.each([
  ['n', 2, []],
  ['y', 0, ['DELETE /api/v1/things/1']],
])('DELETE asks first at a terminal: %s', async (answer, exitCode, expected) => {
  const { run, requests } = await connected({ body: {} });
  const seen = await atTerminal(run, 'api DELETE /v1/things/1', [
    [/DELETE \/v1\/things\/1[\s\S]*\(y\/N\)/, `${answer}${enter}`],
  ]);
  expect(seen.exitCode).toBe(exitCode);
  expect(requests()).toEqual(expected);
});
