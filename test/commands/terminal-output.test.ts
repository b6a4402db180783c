import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { connected } from '../support/connected.ts';
import { listItem } from '../support/emails.ts';
import { ctrlC, enter } from '../support/keys.ts';
import type { Answer } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

/** A command line on a terminal of so many columns. */
async function drawn(
  words: string,
  columns: number,
  env: Readonly<Record<string, string>> = {},
  ...answers: readonly Answer[]
) {
  const { run } = await connected(...answers);
  return await atTerminal(run, words, [], { columns, env });
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
    const { output, text, rows } = await drawn('email list', columns, {}, emails);
    expect(widest(output)).toBeLessThanOrEqual(columns);
    expect(widest(output)).toBeGreaterThan(columns - 12);
    expect(text).toMatch(/^cm3k9x2f8000008l4abcd1234 {2}DELIVERED .*… .*… .*ago$/m);
    expect(rows).toHaveLength(3);
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
    const { output } = await drawn('domain list --sandbox', 80);
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
    const question = await atTerminal(
      createWorld().run,
      `email send --sandbox ${flag}`,
      [
        ['? To', `x${enter}`],
        ['is not an email address', ctrlC],
      ],
      { env },
    );
    expect(question.output).not.toMatch(colour);
  });

  test('are neither in a pipe nor, if forced, in JSON', async () => {
    const { run } = createWorld();
    const words = 'domain list --sandbox';
    const piped = await atTerminal(run, words, [], { redirected: 'stdout' });
    const env = { FORCE_COLOR: '1' };
    const json = await atTerminal(run, `${words} --json`, [], { redirected: 'stdout', env });
    for (const { stdout } of [piped, json]) {
      expect(stdout).toContain('SUCCESS');
      expect(stdout).not.toMatch(colour);
    }
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
    ['a table', 'email list --no-color', list, 0],
    ['CSV', 'email list --csv', list, 0],
    ['lines of JSON', 'email list --jsonl', list, 0],
    ['an error', 'email get email_1 --no-color', refusal, 1],
  ] as const)('are escaped on the terminal in %s', async (_, words, answer, code) => {
    const { exitCode, output } = await drawn(words, 80, {}, answer);
    expect(exitCode).toBe(code);
    expect(output).toMatch(/red\\(x1b|u001b)\[31m/);
    expect(output).not.toMatch(raw);
  });
});

function widest(output: string): number {
  return Math.max(
    ...stripVTControlCharacters(output)
      .split(/\r?\n/)
      .map((line) => stringWidth(line)),
  );
}
