import { describe, expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';

const send = ['email', 'send', '--from', 'a@b.example', '--to', 'c@d.example', '--subject', 'S'];
const withText = [...send, '--text', 'A text of some length, so that a command with it is long'];
const longId = `em_${'x'.repeat(57)}`;
const lost: Answer = (response) => response.destroy();

/** Command lines whose messages are wider than a terminal, each with the service's response. */
const lines: readonly (readonly [what: string, words: readonly string[], answer: Answer])[] = [
  [
    'a warning',
    [...withText, '--scheduled-at', '2026-03-29 02:30 Europe/Berlin'],
    { body: { emailId: 'em_1' } },
  ],
  ['a hint', [...withText, '--scheduled-at', 'banana'], lost],
  ['a hint with a command', [...withText, '--retries', '0'], lost],
  ['a hint with the command of another program', [...send, '--text-file', 'latin1.txt'], lost],
  ['a note with a command', withText, { body: { emailId: longId } }],
  [
    'a message of the service',
    withText,
    { status: 400, body: { error: { message: `${'No, and no again. '.repeat(9)}Hint: pay` } } },
  ],
];

describe.each([40, 80, 120])('on a terminal of %d columns', (columns) => {
  test.each(lines)('%s breaks between words, a command does not', async (_, words, answer) => {
    // After a rejected send, the program reads the domains.
    const { run, file } = await connected(answer, answer, answer, answer);
    file('latin1.txt', new Uint8Array([0xe9]));
    const line = [...words, '--no-color', '--no-input'];
    const piped = await run(line);
    const { stderr } = await run(line, { terminal: columns });
    expect(stderr.split(/\s+/)).toEqual(piped.stderr.split(/\s+/));
    for (const command of piped.stderr.match(/\b(?:mailer|iconv) .*$/gm) ?? []) {
      expect(stderr).toContain(command);
    }
    const [, ...others] = stderr.trimEnd().split('\n');
    for (const row of others.filter((row) => !/^ *(?:mailer|iconv) |^ *\S+$/.test(row))) {
      expect(row.length).toBeLessThanOrEqual(columns);
      // A row without indentation must start a sentence in a pipe too.
      if (!row.startsWith('  ')) expect(piped.stderr).toContain(`\n${row}`);
    }
  });
});

test('a command that does not fit beside its sentence has a line of its own', async () => {
  const accepted = { body: { emailId: longId } };
  const { run } = await connected(accepted, accepted);
  const sentence = 'Accepted. Check its status:';
  const command = `mailer email get ${longId}`;
  expect((await run(withText, { terminal: 80 })).stderr).toBe(`${sentence}\n  ${command}\n`);
  expect((await run(withText, { terminal: 120 })).stderr).toBe(`${sentence} ${command}\n`);
});
