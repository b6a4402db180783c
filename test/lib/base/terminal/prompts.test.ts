import { expect, test } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import { ctrlC, enter } from '../../../support/keys.ts';
import type { Step } from '../../../support/person.ts';
import { createWorld } from '../../../support/run.ts';

const send = 'email send --sandbox --to a@example.org';
const subject: Step = ['? Subject', `Hi${enter}`];

test.each<[what: string, words: string, before: Step[], question: string]>([
  ['a question', 'email send --sandbox', [], '? To'],
  ['a list', 'domain get --sandbox', [], '? Domain'],
  ['the sender', send, [], '? From'],
  ['the text', `${send} --from a@example.com`, [subject], '? Text'],
  ['the yes to a send', `${send} --from a@example.com --text Hi`, [subject], '? Send it?'],
  ['a secret', 'login --base-url http://127.0.0.1:9/api', [], '? API key'],
  ['a confirmation', 'domain delete example.com --sandbox', [], 'Delete it?'],
])(
  'Ctrl-C at %s is 130, and restores the terminal; nothing is done',
  async (_, words, before, question) => {
    const { run } = createWorld();
    const { exitCode, text } = await atTerminal(run, words, [...before, [question, `x${ctrlC}`]]);
    expect(exitCode).toBe(130);
    expect(text).not.toContain('Error');
    expect((await run('domain list --sandbox --quiet')).stdout).toBe('3\n2\n1\n');
    expect((await run('email list --sandbox --quiet')).stdout).toMatch(/^\w+\n\w+\n$/);
  },
);
