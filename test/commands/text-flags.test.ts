import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { manifest } from '../../src/commands/manifest.ts';
import { connected, errorOf } from '../support/connected.ts';

/** Flags that can also read their value from a file, such as `--text` with `--text-file`. */
async function textFlags() {
  const found = await Promise.all(
    manifest.map(async ({ words, load }) => {
      const declared = new Command();
      (await load()).command.flags(declared);
      const args = declared.registeredArguments.filter((one) => one.required).map(() => 'x_1');
      const flags = declared.options.map(({ long }) => long ?? '');
      const isText = (flag: string) => flag === '--text' || flag === '--html';
      return flags.flatMap((flag) => {
        const forFile = [`${flag}-file`, `${flag}s-file`, flag.replace(/y$/, 'ies-file')];
        const other = flags.find((one) => one !== flag && forFile.includes(one));
        return other === undefined
          ? []
          : [
              {
                ...{ name: words.join(' '), line: [...words, ...args], flag, other },
                isLiteral: flags.includes('--literal') && (isText(flag) || words[0] === 'template'),
              },
            ];
      });
    }),
  );
  return found.flat();
}

test.each(await textFlags())(
  '$name $flag: a file after @ names $other',
  async ({ line, flag, other, isLiteral }) => {
    const { run, service, file } = await connected();
    // An ending that belongs to no other flag.
    file('a.tmpl', '{"a":"b"}');
    file('x_1', 'to\nana@example.org\n');
    const outcome = await run([...line, flag, '@a.tmpl', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message: `${flag} does not read files, and "@a.tmpl" names one`,
      hint: `To read the file: ${other} a.tmpl${isLiteral ? '\nTo use the text as it is written, add --literal.' : ''}`,
    });
    expect(service.requests).toEqual([]);
  },
);

test('there are some in each command that takes a text', async () => {
  const names = (await textFlags()).map(({ name, flag }) => `${name} ${flag}`);
  expect(names).toEqual([
    ...['email send --text', 'email send --html', 'email send --var'],
    ...['email batch --text', 'email batch --html', 'email batch --var'],
    ...['email check --text', 'email check --html', 'email check --var'],
    ...['campaign create --html', 'campaign create --content'],
    ...['campaign replace --html', 'campaign replace --content'],
    ...['contact add --property', 'contact update --property'],
    ...['contact book create --property', 'contact book create --double-opt-in-content'],
    ...['contact book update --property', 'contact book update --double-opt-in-content'],
    'event send --payload',
    ...['template create --html', 'template create --content', 'policy set --deny-to'],
  ]);
});

test.each(['@ana', '@', '@.', '@nowhere'])('%s is no file, so it is sent', async (text) => {
  const { run, sent } = await connected({ body: { emailId: 'em_1' } });
  const to = ['--to', 'ana@example.org', '--from', 'hello@example.com', '--subject', 'Hi'];
  expect((await run(['email', 'send', ...to, '--text', text])).exitCode).toBe(0);
  expect(sent().text).toBe(text);
});
