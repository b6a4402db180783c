import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { startRecorder } from '../../../support/recorder.ts';
import { createWorld, type World } from '../../../support/run.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

/** COMP_TYPE of the first TAB, and of the second, which lists the candidates. */
const once = '9';
const listing = '63';

/** The completions for the line up to the cursor, whose last part bash will replace. */
async function answer(
  world: World,
  line: string,
  replaced = /[^\s"'=:]*$/.exec(line)?.[0] ?? '',
  { type = once, columns = '80' } = {},
): Promise<string[]> {
  const words = ['__complete', 'bash', type, columns, line, replaced];
  const { exitCode, stdout, stderr } = await world.run(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

async function withCampaigns(...names: readonly string[]): Promise<World> {
  const campaigns = names.map((name, index) => ({ id: `c${index + 1}`, name, status: 'DRAFT' }));
  const service = await startRecorder({ body: { campaigns } });
  return await worldWith(
    { work: { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890' } },
    'work',
  );
}

describe('a line is read as bash reads it', () => {
  test.each([
    ['mailer camp', ['campaign']],
    ['mailer   "campaign"  li', ['list']],
    ["mailer 'campaign' li", ['list']],
    ['mailer camp\\aign li', ['list']],
    ['mailer ca"mpa"ign li', ['list']],
    ['mailer --profile "a b" campaign li', ['list']],
    ['mailer --profile a\\ b campaign li', ['list']],
    ['mailer --profile "a \\" b" campaign li', ['list']],
    ["mailer --profile 'a \" b' campaign li", ['list']],
    ['mailer --profile "" campaign li', ['list']],
    ['m campaign li', ['list']],
    ['mailer email send --text "$(date) \\$" --sub', ['--subject']],
    // Whether these are one word or two, no command has this name.
    ['mailer "campaign li', []],
    ["mailer campaign $'l", []],
    ['mailer ', expect.arrayContaining(['email'])],
    ['mailer', []],
  ])('%s', async (line, expected) => {
    expect(await answer(createWorld(), line)).toEqual(expected);
  });
});

describe('the output is only the part that bash replaces', () => {
  test.each([
    ['mailer email get x --wait=DEL', 'DEL', ['DELIVERED']],
    ['mailer email get x --wait=', '', expect.arrayContaining(['DELIVERED'])],
    // If COMP_WORDBREAKS does not contain =.
    ['mailer email get x --wait=DEL', '--wait=DEL', ['--wait=DELIVERED']],
    ['mailer email get x --wait="DEL', 'DEL', ['DELIVERED"']],
    ['mailer email get x "--wait=DEL', '--wait=DEL', ['--wait=DELIVERED"']],
    ['mailer email get x --wait=del', 'del', ['DELIVERED']],
    ['mailer EM', 'EM', ['email']],
  ])('%s: %s', async (line, replaced, expected) => {
    expect(await answer(createWorld(), line, replaced)).toEqual(expected);
  });

  test('of a URL, which has colons', async () => {
    const profiles = { work: { baseUrl: 'https://a.example:8443/api' } };
    const world = await worldWith(profiles, 'work');
    const line = 'mailer whoami --base-url https://a.example:8';
    expect(await answer(world, line, '8')).toEqual(['8443/api']);
    expect(await answer(world, line, 'https://a.example:8')).toEqual([
      'https://a.example:8443/api',
    ]);
    expect(
      await answer(
        world,
        line.toUpperCase().replace('MAILER WHOAMI --BASE-URL', 'mailer whoami --base-url'),
        '8',
      ),
    ).toEqual([]);
  });
});

const awkward = [
  'a b',
  `$(touch pwned) "b" 'c' \\ : é`,
  '`touch pwned`',
  '~/x',
  '#1; rm -rf * & | < > ( ) { } [ ] ? ^ , =',
  'ends in a quote"',
  "ends in a quote'",
  'ends in a backslash\\',
  'wow!',
  '!! "!"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text of a shell.
  '$HOME ${HOME} $((1)) \\$HOME',
  '日本語 🙂',
];

test.each(['', '"', "'"])('each name after %s is quoted as exactly this name', async (quote) => {
  const world = await withCampaigns(...awkward);
  const offered = await answer(world, `mailer campaign get ${quote}`, '');
  expect(offered).toHaveLength(awkward.length);
  const words = offered.map((word) => `${quote}${word}`).join(' ');
  const { stdout } = await execa('bash', ['-c', `printf '%s\\n' ${words}`], { cwd: world.home });
  expect(stdout.split('\n')).toEqual(awkward);
});

test('a backslash in double quotes is literal, except before characters it escapes', async () => {
  const world = await withCampaigns('a\\b "c"');
  const line = 'mailer campaign get "a\\b \\"';
  expect(await answer(world, line, 'a\\b \\"')).toEqual(['a\\\\b \\"c\\""']);
});

test.each([
  ['a\\ ', 'a\\ ', 'a\\ b'],
  ['a\\', 'a\\', 'a\\ b'],
  ['"a ', 'a ', 'a b"'],
  ["'a ", 'a ', "a b'"],
  ['a" ', ' ', ' b"'],
])('a name continues after %s', async (typed, replaced, expected) => {
  const world = await withCampaigns('a b');
  expect(await answer(world, `mailer campaign get ${typed}`, replaced)).toEqual([expected]);
});

describe('a list', () => {
  test('has a column of descriptions', async () => {
    const world = await withCampaigns('ab', 'a b');
    const listed = await answer(world, 'mailer campaign get a', 'a', { type: listing });
    expect(listed).toEqual(['ab    (DRAFT)', 'a\\ b  (DRAFT)']);
    expect(await answer(world, 'mailer campaign get a', 'a')).toEqual(['ab', 'a\\ b']);
  });

  test('of one is the text to insert', async () => {
    expect(await answer(createWorld(), 'mailer camp', 'camp', { type: listing })).toEqual([
      'campaign',
    ]);
  });

  test.each(['', '"', "'"])('starts, after %s, with what is typed', async (quote) => {
    // With show-all-if-ambiguous, bash lists the lines and inserts their common prefix at once.
    const world = await withCampaigns(...awkward, 'a', 'a b c', 'a"', "a'", 'a!', 'a! b', "a' b");
    const line = `mailer campaign get ${quote}`;
    const words = await answer(world, line, '');
    const lines = await answer(world, line, '', { type: '33', columns: '200' });
    expect(lines[0]).toContain('(DRAFT)');
    for (const [one, first] of words.entries()) {
      for (const [other, second] of words.entries()) {
        if (one === other) continue;
        const begin = commonBegin(lines[one] ?? '', lines[other] ?? '');
        expect([first, second, begin]).toEqual([first, second, commonBegin(first, second)]);
      }
    }
  });

  test('has each name once, whatever its description', async () => {
    const same = { name: 'a.example', dnsRecords: [] };
    const service = await startRecorder({
      body: [
        { id: 1, status: 'SUCCESS', ...same },
        { id: 2, status: '; touch pwned', ...same },
      ],
    });
    const profile = { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890' };
    const world = await worldWith({ work: profile }, 'work');
    expect(await answer(world, 'mailer domain get a', 'a', { type: '33' })).toEqual(['a.example']);
  });

  test('stays aligned with characters that take two columns, or none', async () => {
    const world = await withCampaigns('日本語', 'abcdefgh', '🙂e\u0301', 'é…');
    const listed = await answer(world, 'mailer campaign get ', '', { type: listing });
    expect(listed).toEqual([
      '日本語    (DRAFT)',
      'abcdefgh  (DRAFT)',
      '🙂e\u0301       (DRAFT)',
      'é…        (DRAFT)',
    ]);
  });

  test('is cut between characters that take two columns', async () => {
    const subject = '日'.repeat(10);
    const service = await startRecorder({ body: { data: [{ id: 'e1', subject }, { id: 'e2' }] } });
    const profile = { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890' };
    const world = await worldWith({ work: profile }, 'work');
    const options = { type: listing, columns: '20' };
    const [line] = await answer(world, 'mailer email get e', 'e', options);
    expect(line).toBe(`e1  (${'日'.repeat(6)}…`);
  });

  test('is cut to the width of the terminal', async () => {
    const options = { type: listing, columns: '40' };
    const listed = await answer(createWorld(), 'mailer email get x --', '--', options);
    expect(Math.max(...listed.map((line) => line.length))).toBe(39);
    expect(listed[0]).toBe('--wait          ([=status] wait for DE…');
    const narrow = await answer(createWorld(), 'mailer e', '', { ...options, columns: '12' });
    expect(narrow).toEqual(await answer(createWorld(), 'mailer e', ''));
    const unknown = await answer(createWorld(), 'mailer ', '', { ...options, columns: '' });
    expect(unknown[0]).toBe(
      'email       (send emails, follow their delivery, change scheduled ones)',
    );
  });
});

function commonBegin(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
