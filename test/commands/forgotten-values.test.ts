import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../src/commands/manifest.ts';
import { addCommonFlags } from '../../src/lib/command-line/command/flags/common-flags.ts';
import { connected, errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** Each flag with a value, and a flag of the same command without one. */
async function flagsWithValues() {
  const found = await Promise.all(
    manifest.map(async ({ words, load }) => {
      const declared = new Command();
      const { command } = await load();
      command.flags(declared);
      addCommonFlags(declared, command);
      const args = declared.registeredArguments.map(() => 'x_1');
      const bare = declared.options.filter((one) => !one.required && !one.optional);
      const other = bare.find(({ long }) => long === '--dry-run') ?? bare[0];
      const takers = declared.options.filter(({ required }) => required);
      return takers.flatMap(({ long, short }) =>
        [long, short].flatMap((flag) =>
          flag
            ? [
                {
                  line: [...words, ...args],
                  flag,
                  taker: long ?? flag,
                  next: other?.long,
                  exitCode: command.exitCodes?.usage ?? 2,
                },
              ]
            : [],
        ),
      );
    }),
  );
  return found.flat();
}

test.each(await flagsWithValues())(
  '$line $flag does not take $next for its value',
  async ({ line, flag, taker, next = '', exitCode }) => {
    const { run, service } = await connected();
    const outcome = await run([...line, '--json', flag, next]);
    expect(outcome).toMatchObject({ exitCode, stdout: '' });
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message: `${taker} needs a value`,
      hint: `To use the text ${next}, write ${taker}${taker.startsWith('--') ? '=' : ''}${next}`,
    });
    expect(service.requests).toEqual([]);
  },
);

const send = ['email', 'send', '--to', 'a@example.org', '--from', 'b@example.com'];

describe('a flag in place of a value', () => {
  test.each([
    [['--text', 'T', '--subject', '--sandbox'], '--subject', '--sandbox'],
    [['--text', 'T', '--subject', '-y'], '--subject', '-y'],
    [['--text', 'T', '--subject', '--help'], '--subject', '--help'],
    [['--text', 'T', '--subject', '--text-file=a.txt'], '--subject', '--text-file=a.txt'],
    [['--text', 'T', '--subject', '--jq', '--dry-run'], '--subject', '--jq'],
    [['--subject', 'S', '--text', 'T', '--jq', '--dry-run'], '--jq', '--dry-run'],
  ])('%j', async (words, taker, text) => {
    const { run, service } = await connected();
    const { exitCode, stderr } = await run([...send, ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${taker} needs a value`);
    expect(stderr).toContain(`To use the text ${text}, write ${taker}=${text}`);
    expect(service.requests).toEqual([]);
  });

  test('before the name of the command too', async () => {
    const { exitCode, stderr } = await createWorld().run('--profile --sandbox domain list');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--profile needs a value');
  });
});

test.each([
  [['--subject=--dry-run'], '--dry-run'],
  [['--subject', '-1'], '-1'],
  [['--subject', '--dry-runs'], '--dry-runs'],
  [['--subject', '-'], '-'],
  [['--subject', '--csv-columns'], '--csv-columns'],
  [['--subject', '--dry-run is a flag'], '--dry-run is a flag'],
])('%j is a value', async (words, subject) => {
  const { run, sent } = await connected({ body: { emailId: 'em_1' } });
  expect(await run([...send, '--text', 'T', ...words])).toMatchObject({ exitCode: 0 });
  expect(sent().subject).toBe(subject);
});
