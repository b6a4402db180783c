import { describe, expect, test } from 'vitest';
import { readLine } from '../../src/cli/command-line.ts';
import { Page, parse } from '../../src/cli/parse.ts';
import { UsageError } from '../../src/lib/base/errors.ts';
import { filesIn, read } from '../support/sources.ts';
import { type CommandLine, commandLines } from './command-lines.ts';

/** What the program's parser rejects in a command line, if anything. */
async function problemOf({ words, mention }: CommandLine): Promise<string | undefined> {
  try {
    parse(await readLine(words), { width: 80, color: false });
    return undefined;
  } catch (error) {
    if (error instanceof Page) return undefined;
    if (!(error instanceof UsageError)) throw error;
    const isShort = mention && error.message.startsWith('Missing ');
    return isShort ? undefined : error.message;
  }
}

const pages = filesIn('*.md', 'docs/**/*.md');

test('there are pages', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/recipes.md']));
});

const lines = pages.flatMap((path) =>
  commandLines(read(path)).map((line) => [path, `mailer ${line.text}`, line] as const),
);

test.each(lines)('%s has commands and flags that exist: %s', async (_path, _text, line) => {
  expect(await problemOf(line)).toBeUndefined();
});

describe('a command line', () => {
  const block = (line: string) => `Text\n\n\`\`\`sh\n${line}\n\`\`\`\n`;

  test.each<[string, string[][]]>([
    [block('mailer email get ID'), [['email', 'get', 'ID']]],
    [block('$ mailer domain list --sandbox'), [['domain', 'list', '--sandbox']]],
    [block('a | mailer email batch - --quiet | sort'), [['email', 'batch', '-', '--quiet']]],
    [
      block('x=$(mailer email list "a b"\'c\' \\\n  --all) # no'),
      [['email', 'list', 'a bc', '--all']],
    ],
    [block('mailer a <<<"$b" >c && mailer d'), [['a'], ['d']]],
    [block('  - run: mailer a "--x=\\"y\\""; e'), [['a', '--x="y"']]],
    [block('# how mailer does it\nnpm install mailer'), []],
    ['```json\n{"detail": "Node runs mailer 0.1.0"}\n```\n', []],
    ['Use `mailer\ndomain list` or `mailer`, as mailer does.', [['domain', 'list']]],
    ['`mailer profile list|use`', [['profile', 'list']]],
  ])('is found in %j', (text, words) => {
    expect(commandLines(text).map((line) => line.words)).toEqual(words);
  });

  test.each([
    [block('mailer email sned'), "unknown command 'sned'"],
    [block('mailer email list --al'), 'email list has no --al'],
    [block('mailer email get'), 'Missing ID'],
    ['`mailer email list --pgae 2`', 'email list has no --pgae'],
    [block('mailer email list --limit many'), /--limit/],
  ])('is checked: %j', async (text, problem) => {
    const [line] = commandLines(text);
    expect(line && (await problemOf(line))).toMatch(problem);
  });
});
