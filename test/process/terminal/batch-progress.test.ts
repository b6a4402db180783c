import { describe, expect, test } from 'vitest';
import { batchLine, writePeople } from '../../support/batch.ts';
import { accept, refuseNamed } from '../../support/batch-service.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { ctrlC, openTerminal, type TerminalOptions } from '../../support/terminal.ts';

const words = [...batchLine, '--concurrency', '1', '--retries', '1', '--results', 'results.jsonl'];
const line = `mailer ${words.map((word) => `'${word}'`).join(' ')}`;
const rows = 1000;

/** A thousand rows, and a service with these responses, which then accepts everything. */
async function setUp(...answers: readonly Answer[]) {
  const service = await startRecorder(...answers, ...Array<Answer>(rows).fill(accept));
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_0123456789',
  });
  writePeople(place, rows);
  return {
    place,
    service,
    open: (command: string, options?: TerminalOptions) => openTerminal(place, command, options),
  };
}

/** Responds with this when the test says so. */
function waits(then: typeof accept = accept) {
  const { promise: word, resolve: goOn } = Promise.withResolvers<void>();
  const answer: typeof accept = async (response, request) => {
    await word;
    then(response, request);
  };
  return { answer, goOn };
}

const three = [accept, accept, accept];

describe('on a terminal', () => {
  test.each([
    [
      80,
      [
        /^. Sending {2}█{9}░{21} {3}30\.0% {4}300 of 1,000$/,
        /^ {2}[\d,.]+\/(s|min) {2}about \d+ (s|min) left$/,
      ],
    ],
    [
      40,
      [
        /^. Sending {2}█{5}░{14} {3}30\.0%$/,
        /^ {2}300 of 1,000 {2}[\d,.]+\/(s|min) {2}about \d+ (s|min) left$/,
      ],
    ],
  ])('of %d columns: a bar that is drawn in place, and removed', async (columns, expected) => {
    const { answer, goOn } = waits();
    const { open } = await setUp(...three, answer);
    const terminal = open(`${line} > out; echo "exit code $?"`, { columns });
    await terminal.shows(/left$/);
    expect(terminal.screen().rows).toEqual(expected.map((row) => expect.stringMatching(row)));
    expect(terminal.screen().cursorVisible).toBe(false);
    goOn();
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen()).toEqual({
      cursorVisible: true,
      rows: ['Accepted 1,000 of 1,000 emails.', 'exit code 0'],
    });
  });

  test.each([40, 80])('of %d columns: Ctrl-C removes it', async (columns) => {
    const { open } = await setUp(...three, waits().answer);
    const terminal = open(`${line}; echo "exit code $?"`, { columns });
    await terminal.shows('300 of 1,000');
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toMatch(/^(\^C)?Error: Interrupted\.\nHint: 300 of 1,000 emails/);
    expect(terminal.text()).not.toMatch(/[█░]|Sending/);
    expect(terminal.screen().cursorVisible).toBe(true);
    expect(terminal.screen().rows.at(-1)).toBe('exit code 130');
  });

  test('an error removes it', async () => {
    const { answer, goOn } = waits((response) => response.writeHead(401).end('no'));
    const { open } = await setUp(...three, answer);
    const terminal = open(`${line}; echo "exit code $?"`);
    await terminal.shows('300 of 1,000');
    goOn();
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen().rows[0]).toMatch(/^Error: /);
    expect(terminal.text()).not.toMatch(/[█░]|Sending/);
    expect(terminal.screen().rows.at(-1)).toBe('exit code 3');
    expect(terminal.screen().cursorVisible).toBe(true);
  });

  test('the reason to wait is below it, with the time, until there is a response', async () => {
    const refusal: Answer = {
      status: 429,
      headers: { 'Retry-After': '2' },
      body: { error: { code: 'RATE_LIMITED', message: 'Slow\x1b[2J down' } },
    };
    const { open } = await setUp(...three, refusal, accept, waits().answer);
    const terminal = open(line);
    await terminal.shows(
      /300 of 1,000\n(.*\n)? {2}Slow\\x1b\[2J down\. It asked to wait for 2 s, until .*\s+Retrying in 2 s$/,
    );
    await terminal.shows(/Slow.*\s+Retrying in 1 s$/);
    await terminal.shows('400 of 1,000');
    expect(terminal.text()).not.toContain('Slow');
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(130);
  });

  test('a long wait for the rate limit is shown', async () => {
    const spent: Answer = (response, request) => {
      response.setHeader('X-RateLimit-Remaining', '0');
      response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1000) + 50));
      accept(response, request);
    };
    const { open } = await setUp(accept, spent);
    const terminal = open(line);
    await terminal.shows(
      / 200 of 1,000\n(.*\n)? {2}The service asked to wait for \d\d s, until .*\s+Retrying in\s+\d\d s$/,
    );
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(130);
  });

  test('rejected emails are counted; a resumed run starts where it stopped', async () => {
    const refusing = refuseNamed('p7@example.org', 'p8@example.org');
    const { open } = await setUp(refusing, ...three, waits().answer, waits().answer);
    const first = open(line);
    await first.shows(/30\.0% {4}300 of 1,000\n.* {2}2 rejected$/);
    first.type(ctrlC);
    expect(await first.end()).toBe(130);
    // It has sent nothing itself yet, and has no rate. Rejected emails are sent once more.
    const second = open(line);
    await second.shows(/^. Sending {2}█{8}░{22} {3}29\.8% {4}298 of 1,000$/);
    second.type(ctrlC);
    expect(await second.end()).toBe(130);
  });

  test.each([
    [
      'of a file, whose size is known',
      300_000,
      line,
      /^. Checking the rows {2}[█░]{30} +\d+\.\d% {2}[\d,]+$/,
    ],
    [
      'of a pipe',
      3000,
      `{ cat people.csv; sleep 600; } | ${line.replace('people.csv', '-')}`,
      /^. Checking the rows {2}[\d,]+$/,
    ],
  ])('how much has been checked %s', async (_, people, command, expected) => {
    const { place, open } = await setUp();
    writePeople(place, people);
    const terminal = open(command);
    await terminal.shows(expected);
    terminal.type(ctrlC);
    expect(await terminal.end()).toBe(130);
    expect(terminal.text()).not.toContain('Checking');
    expect(terminal.screen().cursorVisible).toBe(true);
  });

  test.each([
    ['--quiet', {}],
    ['2> err', {}],
    ['--debug 2> err', {}],
    ['', { TERM: 'dumb' }],
    ['', { CI: '1' }],
  ])('no bar with %s %j', async (flags, env) => {
    // The pause before the retry is longer than the program waits before it shows one.
    const refusal: Answer = { status: 503, headers: { 'Retry-After': '1' }, body: 'busy' };
    const { open, service } = await setUp(...three, refusal);
    const terminal = open(`${line} ${flags}`, { env });
    expect(await terminal.end()).toBe(0);
    expect(service.requests).toHaveLength(11);
    expect(terminal.output()).not.toMatch(/[█░]|Sending/);
  });

  test('NO_COLOR removes the colours only', async () => {
    const { open } = await setUp(...three, waits().answer);
    const plain = open(line, { env: { NO_COLOR: '1' } });
    await plain.shows('300 of 1,000');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
    expect(plain.output()).not.toMatch(/\x1b\[\d+m/);
    expect(plain.text()).toContain('█████████░░░');
    plain.type(ctrlC);
    expect(await plain.end()).toBe(130);
  });
});
