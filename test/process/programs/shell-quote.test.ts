import { execa, execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import {
  isForPowerShell,
  setVariable,
  shellQuote,
} from '../../../src/lib/base/text/shell-quote.ts';
import { visibleLines } from '../../../src/lib/base/text/visible.ts';
import { installed, needing, notWindows } from '../../support/needs.ts';
import { pick, seeded } from '../../support/seeded.ts';

const linux = { env: {}, platform: 'linux' } as const;
const windows = { env: {}, platform: 'win32' } as const;

test.each([
  [
    ['mailer', 'email', 'send', '--to', 'ana@example.com'],
    'mailer email send --to ana@example.com',
  ],
  [['a/b.c_d-e', '--x=1', '50%', 'a:b,c+d'], 'a/b.c_d-e --x=1 50% a:b,c+d'],
  [['mailer', ''], "mailer ''"],
  [['mailer', 'a b'], "mailer 'a b'"],
  [['mailer', "it's"], "mailer 'it'\\''s'"],
  [['mailer', 'C:\\a\\', '\\\\b'], "mailer 'C:\\a'\\\\'' ''\\\\'\\b'"],
  [['A=b', 'C=d', '=e', '%f'], "'A=b' C=d '=e' '%f'"],
  [['mailer', '~', '*', '{a,b}', '#'], "mailer '~' '*' '{a,b}' '#'"],
  [['mailer', 'José'], "mailer 'José'"],
  [['mailer', 'one\n\ntwo\n'], "mailer 'one\n\ntwo\n'"],
  [['mailer', '-a\x1b[1m 5% off\n!\n'], `mailer "$(printf '\\055a\\033[1m 5%% off\n\\041')"'\n'`],
  [['mailer', 'a\u202eb'], `mailer "$(printf 'a\\342\\200\\256b')"`],
  [[], ''],
])('POSIX: %j', (args, expected) => {
  expect(shellQuote(args, linux)).toBe(expected);
  expect(shellQuote(args, { ...linux, platform: 'darwin' })).toBe(expected);
});

/** The flags with which each shell runs a script. */
const shells = {
  sh: ['-c'],
  dash: ['-c'],
  bash: ['--norc', '-c'],
  zsh: ['-f', '-c'],
  fish: ['--no-config', '-c'],
} as const;

const printWords = `process.stdout.write(process.argv.slice(1).map((word) => word + '\\0').join(''))`;

/** The words into which a shell splits a command line, as a program gets them. */
async function wordsIn(shell: keyof typeof shells, line: string): Promise<string[]> {
  const { stdout } = await execa(shell, [...shells[shell], line]);
  return stdout.split('\0').slice(0, -1);
}

const ascii = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));
/** Everything that shells, printf or a terminal could interpret. */
const pieces: readonly [string, ...string[]] = [
  'a',
  ...ascii,
  ...['', '--', '-n', '-', '=', '%', '%s', '%%', '~', '!!', '!x', '^a^b', '$(id)', '$HOME', '`id`'],
  ...["''", "'\\''", '\\\\', "\\'", '\\n', '\\033', '\\x1b', '\\c', '\\0', '0', '7', '8', 'x', 'é'],
  ...[
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '\x1b[2J',
    '\u009b',
    '\u200b',
    '\u202e',
    '\ufeff',
    '\u{e0041}',
  ],
  ...[
    '👩‍👩‍👧',
    '日本',
    '‘',
    '’',
    '“',
    '[a-z]*',
    '{a,b}',
    '# x',
    '&& false',
    '| cat',
    '> /dev/null',
    ';',
  ],
];

/** Words of up to six of these pieces. */
function hostileWords(seed: number, count: number): string[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: Math.floor(random() * 7) }, () => pick(random, pieces)).join(''),
  );
}

describe.each(['sh', 'dash', 'bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  const here = needing(notWindows, installed(shell));

  test('reads back what was quoted, byte by byte', here, async () => {
    const words = [
      ...ascii,
      ...ascii.map((character) => `a${character}b`),
      ...ascii.map((character) => `${character}${character}`),
      ...pieces,
      ...pieces.map((piece) => `${piece}\n`),
      ...hostileWords(26, 500),
    ];
    const line = shellQuote([process.execPath, '-e', printWords, '--', ...words], linux);
    // A terminal shows the line unmodified.
    expect(visibleLines(line)).toBe(line);
    expect(await wordsIn(shell, line)).toEqual(words);
  });
});

describe.each([
  ['bash', '--norc'],
  ['zsh', '-f'],
])('an interactive %s, which expands !,', (shell, flag) => {
  test('reads it back', needing(notWindows, installed(shell)), () => {
    const words = ['hi!', '!!', '!x', 'a!\tb', '\x1b!!', "it's!\n!", '"!"\r\n'];
    const line = shellQuote([process.execPath, '-e', printWords, '--', ...words], linux);
    const env = { HISTFILE: '/dev/null', PS1: '', TERM: 'dumb' };
    const { stdout } = execaSync(shell, [flag, '-i'], { input: `: x\n${line}\n`, env });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});

test('an assignment is quoted into a command', needing(notWindows), () => {
  const { stdout } = execaSync('sh', ['-c', `${shellQuote(['A=b'], linux)} || echo no command`]);
  expect(stdout).toBe('no command');
});

test.each([
  [['mailer', 'email', 'get', 'abc-1_2'], 'mailer email get abc-1_2'],
  [['C:\\mail\\mailer.exe', '--x=1'], 'C:\\mail\\mailer.exe --x=1'],
  [['mailer', '', 'a b'], 'mailer "" "a b"'],
  [
    ['mailer', 'ana@example.com', 'a,b', 'a&b|c>d', "it's"],
    'mailer "ana@example.com" "a,b" "a&b|c>d" "it\'s"',
  ],
  [['mailer', '$HOME', '%PATH%', '`a`', 'hi!'], "mailer '$HOME' '%PATH%' '`a`' 'hi!'"],
  [['mailer', 'say "it\'s"'], "mailer 'say \"it''s\"'"],
  // PowerShell treats typographic quotes as plain ones.
  [['mailer', '“it’s” ‘$x’'], "mailer '“it’’s” ‘‘$x’’'"],
  [['mailer', 'C:\\my mail\\'], "mailer 'C:\\my mail\\'"],
  [['mailer', '-a.b', '--to:x', '--to', '--'], 'mailer "-a.b" "--to:x" --to "--"'],
  [['mailer', 'a\tb\n$x `“'], 'mailer "a$([char]0x9)b\n`$x ```“"'],
  [['mailer', '\u{e0041}'], 'mailer "$([char]0xdb40)$([char]0xdc41)"'],
])('PowerShell: %j', (args, expected) => {
  expect(shellQuote(args, windows)).toBe(expected);
  expect(shellQuote(args, { ...linux, env: { SHELL: '/usr/bin/pwsh' } })).toBe(expected);
});

test.each([
  [{}, 'linux', false],
  [{}, 'darwin', false],
  [{}, 'win32', true],
  [{ SHELL: '/usr/bin/fish' }, 'linux', false],
  [{ SHELL: '/bin/zsh' }, 'darwin', false],
  [{ SHELL: '/snap/bin/pwsh' }, 'linux', true],
  [{ SHELL: 'C:\\Program Files\\PowerShell\\7\\pwsh.exe' }, 'win32', true],
  [{ SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe' }, 'win32', false],
  [{ SHELL: '/usr/bin/bash' }, 'win32', false],
] as const)('%j on %s: for PowerShell is %s', (env, platform, expected) => {
  expect(isForPowerShell({ env, platform })).toBe(expected);
});

test.each([
  ['C:\\my mail', "$env:A = 'C:\\my mail'"],
  ['it’s', "$env:A = 'it’’s'"],
  ['a\u202eb', '$env:A = "a$([char]0x202e)b"'],
])('PowerShell sets a variable to %j', (value, expected) => {
  expect(setVariable('A', value, windows)).toBe(expected);
});
