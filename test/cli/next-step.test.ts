import { describe, expect, test } from 'vitest';
import { safeNextStep } from '../../src/cli/next-step.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** Lines that fail where the next step is clear, and that step. */
const failing: readonly (readonly [line: string, next: string])[] = [
  ['email get nothing --sandbox', 'mailer email list --sandbox'],
  ['email get @last --sandbox', 'mailer email list --sandbox'],
  ['contact list --book None --sandbox', 'mailer contact book list --sandbox'],
  ['contact book get None --sandbox', 'mailer contact book list --sandbox'],
  [
    'contact get none --book Customers --sandbox',
    'mailer contact list --book book_customers --sandbox',
  ],
  ['domain get none.example --sandbox', 'mailer domain list --sandbox'],
  ['domain records none.example --sandbox', 'mailer domain list --sandbox'],
  ['stats --domain none.example --sandbox', 'mailer domain list --sandbox'],
  ['campaign get none --sandbox', 'mailer campaign list --sandbox'],
  ['campaign watch none --sandbox', 'mailer campaign list --sandbox'],
  ['template get none --sandbox', 'mailer template list --sandbox'],
  ['segment preview none --sandbox', 'mailer segment list --sandbox'],
  ['run get none --sandbox', 'mailer run list --all --sandbox'],
];

describe('an error names the next step, which works as it stands', () => {
  test.each(failing)('%s', async (line, next) => {
    const world = createWorld();
    const outcome = await world.run(`${line} --json`);
    const words = errorOf(outcome).next;
    expect(words?.join(' ')).toBe(next);
    const [, ...argv] = words ?? [];
    expect(await world.run(argv)).toMatchObject({ exitCode: 0 });
  });
});

const system = { env: {}, platform: 'linux' } as const;

describe('there is no next step', () => {
  test.each([
    ['for a person', 'Log in with: mailer login'],
    ['that mails', 'To send it: mailer email send --to a@example.com --subject Hi --text Hi'],
    ['that deletes', 'To delete it: mailer campaign delete cm1'],
    ['that changes something', 'To verify it: mailer domain verify example.com'],
    ['that may do so', 'For example: mailer api DELETE /v1/domains/1'],
    ['on this machine', 'To remove all its rules: mailer policy unset --all'],
    ['that settles a doubt', 'To do it all the same: mailer email list --yes'],
    ['with a placeholder', 'To see the events of one email: mailer email get ID'],
    ['with a part left out', 'To see it: mailer email list … --json'],
    ['if there are two', 'To see it: mailer email list. Or: mailer domain list'],
    ['in a sentence', 'Check with mailer email list first.'],
    ['that does not exist', 'To see it: mailer email show cm1'],
    ['with a flag that does not exist', 'To see it: mailer email list --nothing'],
    ['that is not complete', 'To see it: mailer email get'],
    ['for a shell', 'To see it: mailer email list | sort'],
    ['of a shell', 'To see it: mailer email get "$(cat id)"'],
  ])('%s', async (_, hint) => {
    expect(await safeNextStep(hint, system)).toBeUndefined();
  });

  test('of a command that does more than read, whichever it is', async () => {
    for (const { words, load } of manifest) {
      const { command } = await load();
      const effects = Object.entries(command.effects);
      const doesMore = effects.some(([effect, cause]) => effect !== 'reads' && cause === true);
      const next = await safeNextStep(`To do it: mailer ${words.join(' ')}`, system);
      if (doesMore) expect(next).toBeUndefined();
    }
  });
});

test.each([
  ['To list them: mailer email list', ['mailer', 'email', 'list']],
  ['Nothing was sent. To see all rules: mailer policy show', ['mailer', 'policy', 'show']],
  ['Its history: mailer email get cm1. It may change.', ['mailer', 'email', 'get', 'cm1']],
  ["To see it: mailer email get 'a b. c'", ['mailer', 'email', 'get', 'a b. c']],
  ["To see it: mailer email get 'a'\\''b'", ['mailer', 'email', 'get', "a'b"]],
  [
    'First\nmailer domain check example.com --deep\nthen',
    ['mailer', 'domain', 'check', 'example.com', '--deep'],
  ],
])('in %j, it is %j', async (hint, words) => {
  expect(await safeNextStep(hint, system)).toEqual(words);
});
