import { describe, expect, test, vi } from 'vitest';
import { fill, listItem } from '../../support/emails.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { asked, items, pageOf } from '../../support/pages.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { openTerminal } from '../../support/terminal.ts';

const formats = ['', '--json', '--jsonl', '--csv', '--quiet'];
const rows = items(6, 1);

/** The pages of a list, generated on request. */
const anyPage =
  (list: readonly unknown[]): Answer =>
  (response, request) =>
    void response.end(JSON.stringify(pageOf(list, request)));

const forever = (answer: Answer) => Array<Answer>(10_000).fill(answer);

/** A response that waits until it is released. */
function heldBack(list: readonly unknown[]) {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const answer: Answer = (response, request) =>
    void promise.then(() => response.end(JSON.stringify(pageOf(list, request))));
  return { answer, letGo };
}

async function connected(...answers: readonly Answer[]) {
  const service = await startRecorder(...answers);
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_1234567890',
  });
  return { service, place };
}

function list(place: Place, flag: string, limit = 2): Started {
  return place.start(`email list --all --limit ${limit} ${flag}`);
}

/** The output of a process so far. */
function reading({ stdout }: Started) {
  let text = '';
  stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  return { has: (part: string) => vi.waitFor(() => expect(text).toContain(part), patience) };
}

const patience = { timeout: 20_000, interval: 5 };

describe.each(formats)('email list --all %s', (flag) => {
  test('shows a page before the next one arrives', async () => {
    const second = heldBack(rows);
    const { place, service } = await connected(anyPage(rows), second.answer, anyPage(rows));
    const started = list(place, flag);
    const output = reading(started);
    await output.has('em_6');
    await output.has('em_5');
    await vi.waitFor(() => expect(service.requests).toHaveLength(2), patience);
    second.letGo();
    const { exitCode, stdout, stderr } = await finished(started);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const { id } of rows) expect(stdout).toContain(id);
    expect(service.requests).toHaveLength(3);
  });

  test('requests nothing more after its reader has ended', async () => {
    const second = heldBack(rows);
    const { place, service } = await connected(anyPage(rows), second.answer, anyPage(rows));
    const started = list(place, flag);
    await reading(started).has('em_6');
    await vi.waitFor(() => expect(service.requests).toHaveLength(2), patience);
    started.stdout.destroy();
    second.letGo();
    const { exitCode, stderr } = await finished(started);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(service.requests).toHaveLength(2);
  });

  test('is incomplete and an error if a page fails', async () => {
    const failure = { status: 500, body: { error: { code: 'INTERNAL', message: 'Out of order' } } };
    const { place } = await connected(anyPage(rows), anyPage(rows), failure);
    const { exitCode, stdout, stderr } = await runHere(
      place,
      `email list --all --limit 2 --retries 0 ${flag}`,
    );
    expect(exitCode).toBe(7);
    // The rows already shown are from the earlier pages.
    expect(stdout).toContain('em_3');
    expect(stdout).not.toContain('em_2');
    if (flag === '--json') expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
    else expect(stdout).toMatch(/\n$/);
    if (flag.startsWith('--json')) {
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unavailable', status: 500 } });
    } else {
      expect(stderr).toBe('Error: The service responded with 500: Out of order\n');
    }
  });
});

test.each(['', '--json'])('holds no more than a page at a time (%s)', async (flag) => {
  // More than fits into the heap.
  const env = { NODE_OPTIONS: '--max-old-space-size=20 --max-semi-space-size=1' };
  const [count, text] = [7000, 'x'.repeat(4000)];
  const { place, service } = await connected(
    ...forever((response, request) => {
      const first = (asked(request, 'page') - 1) * 50;
      const data = Array.from({ length: 50 }, (_, row) => listItem(`em_${first + row}`, { text }));
      response.end(JSON.stringify({ data, count }));
    }),
  );
  const line = `mailer email list --all ${flag} | tail -4; exit "\${PIPESTATUS[0]}"`;
  const { exitCode, stdout } = await finished(place.shell(line, { env, plain: true }));
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`em_${count - 1}`);
  expect(service.requests).toHaveLength(count / 50);
});

test('with --quiet it ends with 0 before head -1 with pipefail', async () => {
  const { place, service } = await connected(...forever(anyPage(items(2000, 1))));
  const line = 'set -o pipefail; mailer email list --all --limit 50 --quiet | head -1';
  const { exitCode, stdout, stderr } = await finished(place.shell(line));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  expect(service.requests.length).toBeLessThan(40);
});

test('nothing is on stdout if the first page fails', async () => {
  const { place } = await connected({ status: 500, body: {} });
  const { exitCode, stdout } = await runHere(place, 'email list --all --json --retries 0');
  expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
});

test('Ctrl-C between two pages leaves a document that is not complete', async () => {
  const second = heldBack(rows);
  const { place, service } = await connected(anyPage(rows), second.answer);
  const started = list(place, '--json');
  await reading(started).has('em_5');
  await vi.waitFor(() => expect(service.requests).toHaveLength(2), patience);
  started.kill('SIGINT');
  const { exitCode, stdout, stderr } = await finished(started);
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
  expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
});

test('emails sent in the meantime move others to the next page: all are listed once', async () => {
  const place = createPlace();
  const sandbox = await serveHere(place);
  await fill(sandbox, 12, 'Hello');
  const { stdout: before } = await runHere(place, 'email list -q', { env: sandbox.env });
  const service = await startRecorder(
    ...forever(async (response, { path, headers }) => {
      const { authorization = '' } = headers;
      const answer = await fetch(`${sandbox.url}${path}`, { headers: { authorization } });
      const text = await answer.text();
      // Before the next page is asked for.
      await fill(sandbox, 3, 'Meanwhile');
      response.end(text);
    }),
  );
  const env = { ...sandbox.env, MAILER_BASE_URL: service.baseUrl };
  const { exitCode, stdout } = await place.run('email list --all --limit 5 -q', { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: before });
  expect(service.requests.length).toBeGreaterThan(4);
});

describe('on a terminal', () => {
  const email = (index: number, fields: object = {}) =>
    listItem(`cm3k9x2f80000${String(index).padStart(4, '0')}`, { subject: 'Short', ...fields });
  const head = /^ID +STATUS +TO +SUBJECT +CREATED$/;

  test('the header is printed once, and columns keep their positions', async () => {
    const emails = Array.from({ length: 120 }, (_, index) => email(index));
    const { place } = await connected(...forever(anyPage(emails)));
    const terminal = openTerminal(place, 'mailer email list --all --no-color');
    expect(await terminal.end()).toBe(0);
    const [first = '', ...lines] = terminal.screen().rows;
    expect(first).toMatch(head);
    expect(lines).toHaveLength(120);
    for (const line of lines) {
      expect(line.indexOf('DELIVERED')).toBe(first.indexOf('STATUS'));
      expect(line.search(/\S+ \S+ ago/)).toBe(first.indexOf('CREATED'));
    }
  });

  test('wider values of a later page get the available space', async () => {
    const subject = 'A subject that is longer than those of the first page';
    const emails = Array.from({ length: 150 }, (_, index) =>
      email(index, index === 60 ? { subject } : {}),
    );
    const { place } = await connected(...forever(anyPage(emails)));
    const terminal = openTerminal(place, 'mailer email list --all --no-color', { columns: 160 });
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toContain(`  ${subject}  `);
    const created = terminal.screen().rows.map((line) => line.search(/\S+ \S+ ago/));
    expect(new Set(created.slice(1, 51)).size).toBe(1);
    expect(new Set(created.slice(51)).size).toBe(1);
  });

  test('a longer id or status of a later page is complete', async () => {
    const emails = Array.from({ length: 52 }, (_, index) => email(index));
    const id = 'an_id_that_is_longer_than_others';
    emails.push(email(52, { id }), email(53, { latestStatus: 'RENDERING_FAILURE' }));
    const { place } = await connected(...forever(anyPage(emails)));
    const terminal = openTerminal(place, 'mailer email list --all --no-color', { columns: 100 });
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toMatch(new RegExp(`^${id}  DELIVERED `, 'm'));
    expect(terminal.text()).toContain('  RENDERING_FAILURE  ');
    for (const line of terminal.screen().rows) expect(line.length).toBeLessThanOrEqual(100);
  });
});
