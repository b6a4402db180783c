import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { listItem } from '../../support/emails.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { openTerminal, type TerminalOptions } from '../../support/terminal.ts';

/** The same command line in the process of the tests, on a terminal of so many columns. */
async function drawn(
  words: string,
  terminal: number,
  env: Readonly<Record<string, string>> = {},
  ...answers: readonly Answer[]
) {
  const { world } = await connected(...answers);
  const { exitCode, stdout, stderr } = await world.run(words, { terminal, env });
  return { exitCode, output: stdout + stderr };
}

/** Runs a command line on a real terminal to its end. */
async function shown(line: string, options: TerminalOptions = {}, ...answers: readonly Answer[]) {
  const service = await startRecorder(...answers);
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  const terminal = openTerminal(createPlace(env), line, options);
  const exitCode = await terminal.end();
  return { exitCode, output: terminal.output(), terminal };
}

const long = 'A long subject with 宽 characters, which no terminal is wide enough for. '.repeat(4);
const emails: Answer = {
  body: {
    count: 2,
    data: [
      listItem('cm3k9x2f8000008l4abcd1234', {
        subject: long,
        to: ['somebody.with.a.long.name@subdomain.example.org', 'second@example.org'],
      }),
      listItem('short', { latestStatus: 'RENDERING_FAILURE', subject: 'Short' }),
    ],
  },
};

describe.each([80, 120])('at %d columns', (columns) => {
  test.each([
    'email list --sandbox',
    'domain list --sandbox',
    'reputation events --sandbox',
    'config list',
    'email list --help',
  ])('%s fits', async (words) => {
    const { exitCode, output } = await drawn(words, columns);
    expect(exitCode).toBe(0);
    expect(widest(output)).toBeGreaterThan(10);
    expect(widest(output.replace(/^ {2}\$ .*$/gm, ''))).toBeLessThanOrEqual(columns);
  });

  test('long and wide values are cut with an ellipsis, ids are not', async () => {
    const { output, terminal } = await shown('mailer email list', { columns }, emails);
    expect(widest(output)).toBeLessThanOrEqual(columns);
    expect(widest(output)).toBeGreaterThan(columns - 12);
    expect(terminal.text()).toMatch(/^cm3k9x2f8000008l4abcd1234 {2}DELIVERED .*… .*… .*ago$/m);
    expect(terminal.screen().rows).toHaveLength(3);
  });
});

test('a wider terminal shows more', async () => {
  const narrow = await drawn('email list', 80, {}, emails);
  const wide = await drawn('email list', 300, {}, emails);
  expect(narrow.output).not.toContain('second@example.org');
  expect(wide.output).toContain('second@example.org');
});

describe('colours', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey these.
  const colour = /\x1b\[[0-9;]+m/;

  test('show on a terminal what a state means', async () => {
    const { output } = await shown('mailer domain list --sandbox');
    expect(output).toContain('\x1b[32mSUCCESS\x1b[39m');
    expect(output).toContain('\x1b[1m\x1b[35mPENDING\x1b[39m\x1b[22m');
  });

  test('can be read on white and on black', async () => {
    for (const words of [
      'reputation events --sandbox',
      'email list --sandbox',
      'domain list --sandbox',
    ]) {
      const { output } = await drawn(words, 80);
      expect(output).toMatch(colour);
      // Yellow, blue and cyan, and their bright variants.
      expect(output.replaceAll('\x1b', 'ESC')).not.toMatch(/ESC\[[\d;]*\b[39][346]m/);
    }
  });

  test.each([
    ['NO_COLOR', '', { NO_COLOR: '1' }],
    ['--no-color', '--no-color', {}],
    ['TERM=dumb', '', { TERM: 'dumb' }],
  ])('are off with %s, in tables, pages and questions', async (_, flag, env) => {
    const table = await drawn(`domain list --sandbox ${flag}`, 80, env);
    expect(table.output).toContain('SUCCESS');
    expect(table.output).not.toMatch(colour);
    const page = await drawn(`${flag} email send --help`, 80, env);
    expect(page.output).toContain('--subject');
    expect(page.output).not.toMatch(colour);
    const terminal = openTerminal(createPlace(), `mailer email send --sandbox ${flag}`, { env });
    await terminal.shows('? To');
    terminal.type('x\r');
    await terminal.shows('is not an email address');
    expect(terminal.output()).not.toMatch(colour);
  });

  test('are neither in a pipe nor, if forced, in JSON', async () => {
    const piped = await shown('mailer domain list --sandbox | cat');
    const env = { FORCE_COLOR: '1' };
    const json = await shown('mailer domain list --sandbox --json | cat', { env });
    expect(piped.output + json.output).toContain('SUCCESS');
    expect(piped.output + json.output).not.toMatch(colour);
  });
});

describe('strings of the service with control characters', () => {
  const hostile =
    'red\x1b[31m title\x1b]0;owned\x07 \x9b2J back\b\b\b\rover\nline \u202Ebidi\u200B';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey these.
  const raw = /\x1b\]|\x1b\[31m|\x1b\[2J|\x9b|\x07|\x08|\r(?!\r?\n)|\u202E/;
  const item = listItem('email_1', { subject: hostile, to: [`"${hostile}" <a@example.org>`] });
  const list: Answer = { body: { count: 1, data: [item] } };
  const refusal: Answer = {
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message: hostile } },
  };

  test.each([
    ['a table', 'mailer email list --no-color', list, 0],
    ['CSV', 'mailer email list --csv', list, 0],
    ['lines of JSON', 'mailer email list --jsonl', list, 0],
    ['an error', 'mailer email get email_1 --no-color', refusal, 1],
  ] as const)('are escaped on the terminal in %s', async (_, line, answer, code) => {
    const { exitCode, output } = await shown(line, {}, answer);
    expect(exitCode).toBe(code);
    expect(output).toMatch(/red\\(x1b|u001b)\[31m/);
    expect(output).not.toMatch(raw);
  });
});

function widest(output: string): number {
  // If the service was slow, a spinner was shown and erased itself.
  const [result = ''] = output.split('\x1b[1G\x1b[0K').slice(-1);
  return Math.max(
    ...stripVTControlCharacters(result)
      .split(/\r?\n/)
      .map((line) => stringWidth(line)),
  );
}
