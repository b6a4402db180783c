import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { email, startSandbox, type TestSandbox, temporaryDirectory } from '../harness.ts';
import { rowsOf, see } from './pages.ts';

const reasonOfFirst = async (own: TestSandbox) =>
  rowsOf(await see(own, '/requests'), 'Requests')[0]?.[2];

describe('the list', () => {
  test('has method, path, status, time and duration, the newest first', async () => {
    const own = startSandbox();
    expect((await see(own, '/requests')).text).toContain('No requests yet');
    await own.request('GET', '/domains');
    await own.request('POST', '/emails', { body: email() });
    expect(rowsOf(await see(own, '/requests'), 'Requests')).toEqual([
      ['POST /api/v1/emails', '200', '', 'now', expect.stringMatching(/^\d+(\.\d)? m?s$/)],
      ['GET /api/v1/domains', '200', '', 'now', expect.stringMatching(/^\d+(\.\d)? m?s$/)],
    ]);
  });

  test('shows why a request was rejected, whatever the shape of the response', async () => {
    const own = startSandbox();
    await own.request('GET', '/emails/email_nothing');
    expect(await reasonOfFirst(own)).toBe('NOT_FOUND: Email not found');
    await own.request('POST', '/emails/batch', { body: [email(), email({ from: 3, to: 4 })] });
    expect(await reasonOfFirst(own)).toMatch(/^\[1\]\..* and 2 more$|^\[1\]\..* and 1 more$/);
    await own.request('PUT', '/domains/99/verify', { body: {} });
    expect(await reasonOfFirst(own)).toBe('Domain not found');
    await own.request('GET', '/nothing');
    expect(await reasonOfFirst(own)).toBe('404 Not Found');
    await own.request('GET', '/domains', { key: null });
    expect(await reasonOfFirst(own)).toBe('UNAUTHORIZED: No Authorization header provided');
  });

  test('can show rejected requests only', async () => {
    const own = startSandbox();
    for (let nth = 0; nth < 60; nth++) await own.request('GET', '/nothing');
    await own.request('GET', '/domains');
    const page = await see(own, '/requests?refused=1');
    expect(rowsOf(page, 'Requests')).toHaveLength(50);
    expect(page.text).toContain('1–50 of 60');
    expect(page.html).toContain('href="?refused=1&amp;page=2"');
    const statuses = rowsOf(page, 'Requests').map(([, status]) => status);
    expect(new Set(statuses)).toEqual(new Set(['404']));
    expect(rowsOf(await see(own, '/requests?refused=1&page=2'), 'Requests')).toHaveLength(10);
    expect((await see(startSandbox(), '/requests?refused=1')).text).toContain(
      'No request was rejected',
    );
  });

  test('finds a request by its content, its response, and its ID', async () => {
    const own = startSandbox();
    const { headers } = await own.request('POST', '/emails', {
      body: email({ subject: 'Needle' }),
    });
    await own.request('GET', '/emails/email_nothing');
    const found = async (q: string) =>
      rowsOf(await see(own, `/requests?q=${encodeURIComponent(q)}`), 'Requests').map(
        ([request]) => request,
      );
    expect(await found('needle')).toEqual(['POST /api/v1/emails']);
    expect(await found(headers.get('X-Request-Id') ?? '')).toEqual(['POST /api/v1/emails']);
    expect(await found('Email not found')).toEqual(['GET /api/v1/emails/email_nothing']);
    expect(await found('100%')).toEqual([]);
  });
});

describe('one request', () => {
  test('has headers, both bodies and the reason', async () => {
    const own = startSandbox();
    await own.request('POST', '/emails', {
      rawBody: '{"to":"x","from":3,"subject":12345678901234567890,"text":"","html":[],"cc":{}}',
    });
    const page = await see(own, '/requests/1');
    expect(page.text).toContain('POST /api/v1/emails 400 31 Jan 2026, 12:00:00 UTC');
    expect(page.text).toContain('Why it was rejected to: "x" is not an email address');
    expect(rowsOf(page, 'Headers of the request')).toContainEqual([
      'content-type',
      'application/json',
    ]);
    expect(rowsOf(page, 'Headers of the response').map(([name]) => name)).toContain('x-request-id');
    // As it was sent, without rounded numbers.
    expect(page.html).toContain(
      [
        '{',
        '  "to": "x",',
        '  "from": 3,',
        '  "subject": 12345678901234567890,',
        '  "text": "",',
        '  "html": [],',
        '  "cc": {}',
        '}',
      ]
        .join('\n')
        .replaceAll('"', '&quot;'),
    );
  });

  test('shows the beginning of a long body, and how much is missing', async () => {
    const own = startSandbox();
    const body = JSON.stringify(email({ text: 'x'.repeat(100_000) }));
    await own.request('POST', '/emails', { rawBody: body });
    const page = await see(own, '/requests/1');
    const [, length, missing] = /It had ([\d,]+) characters; ([\d,]+) are/.exec(page.text) ?? [];
    expect(length).toBe(body.length.toLocaleString('en'));
    expect(Number(missing?.replaceAll(',', ''))).toBeGreaterThan(80_000);
    expect(page.html.length).toBeLessThan(60_000);
    expect(page.text).toContain('too long to be kept whole. Put it into a file named body.');
  });

  test('reports a body that is not text', async () => {
    const own = startSandbox();
    await own.sandbox.fetch(
      new Request('http://sandbox.test/api/v1/emails', {
        method: 'POST',
        headers: { Authorization: `Bearer ${own.sandbox.apiKey}` },
        body: Uint8Array.from({ length: 2000 }, (_, at) => (at * 7) % 256),
      }),
    );
    const page = await see(own, '/requests/1');
    expect(page.text).toContain('It is not text');
    expect(page.text).toContain('are not shown');
    expect(page.text).toContain('The body was not text. Put it into a file named body.');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(page.html).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });

  test('shows no key', async () => {
    const own = startSandbox();
    const key = 'us_a1b2c3d4e5_0123456789abcdef0123456789abcdef';
    await own.request('GET', `/domains?apiKey=${key}`, { key });
    const page = await see(own, '/requests/1');
    expect(page.html).not.toContain('0123456789abcdef');
    expect(page.text).toContain('Bearer (hidden)');
    expect(page.text).toContain('Fill in the hidden values');
  });
});

/** The arguments that `curl` gets when a shell runs `line`. */
function wordsOf(line: string): string[] {
  const directory = join(temporaryDirectory(), 'bin');
  mkdirSync(directory);
  writeFileSync(join(directory, 'curl'), '#!/bin/sh\nprintf "%s\\0" "$@"\n', { mode: 0o700 });
  const output = execFileSync('bash', ['--norc', '-c', line], {
    env: { PATH: `${directory}:/usr/bin:/bin`, MAILER_API_KEY: 'the-key', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

async function curlOf(own: TestSandbox, seq: number): Promise<string> {
  const { html } = await see(own, `/requests/${seq}`);
  const [, line = ''] = /<pre class="wrap selectable"[^>]*>([\s\S]*?)<\/pre>/.exec(html) ?? [];
  return line
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe('the line for curl', () => {
  test.each([
    `{"to":"it's $HOME \`id\` \\\\ \\" !x ; rm -rf"}`,
    '{"text":"two\nlines\tand a tab"}',
    `paste\u001b[201~; exit 3 ' it`,
    'turned \u202e around, é, 📙, \u00a0',
    "'",
    '$(id)',
    '@/etc/passwd',
  ])('repeats the request in a shell: %j', async (rawBody) => {
    const own = startSandbox();
    await own.request('POST', '/emails?a=[1]&b={x}', { rawBody, headers: { 'X-Odd': "o'dd $x" } });
    const line = await curlOf(own, 1);
    expect(wordsOf(line)).toEqual([
      '-X',
      'POST',
      '--globoff',
      'http://sandbox.test/api/v1/emails?a=[1]&b={x}',
      '-H',
      'Authorization: Bearer the-key',
      '-H',
      'content-type: application/json',
      '-H',
      "x-odd: o'dd $x",
      '--data-raw',
      rawBody,
    ]);
    // Nothing in it is a command to a terminal when it is pasted.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test('has no key if none was sent, and leaves out hidden values', async () => {
    const own = startSandbox();
    await own.request('GET', '/domains', {
      key: null,
      headers: { 'X-Api-Key': 'something-hidden', 'X-Empty': '' },
    });
    const words = wordsOf(await curlOf(own, 1));
    expect(words).not.toContain('Authorization: Bearer the-key');
    expect(words).toContain('X-Empty;'.toLowerCase());
    expect(words.join(' ')).not.toContain('x-api-key');
    const { text } = await see(own, '/requests/1');
    expect(text).toContain('Left out, because its value is hidden: x-api-key');
  });
});
