import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellQuote } from '../../../src/lib/text/shell-quote.ts';

describe('POSIX', () => {
  test.each([
    [
      ['mailer', 'email', 'send', '--to', 'ana@example.com'],
      'mailer email send --to ana@example.com',
    ],
    [['a/b.c_d-e', '--x=1', '50%', 'a:b,c+d'], 'a/b.c_d-e --x=1 50% a:b,c+d'],
    [['mailer', ''], "mailer ''"],
    [['mailer', 'a b'], "mailer 'a b'"],
    [['mailer', "it's"], "mailer 'it'\\''s'"],
    [['A=b', 'C=d'], "'A=b' C=d"],
    [['mailer', '~', '*', '{a,b}', '#'], "mailer '~' '*' '{a,b}' '#'"],
    [['mailer', 'José'], "mailer 'José'"],
    [[], ''],
  ])('%j', (args, expected) => {
    expect(shellQuote(args, 'linux')).toBe(expected);
    expect(shellQuote(args, 'darwin')).toBe(expected);
  });

  test.skipIf(process.platform === 'win32')('a shell reads back what was quoted', () => {
    const ascii = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));
    const words = [
      ...ascii,
      ...ascii.map((character) => `a${character}b`),
      ...ascii.map((character) => `${character}${character}`),
      '',
      '$(touch /tmp/x)',
      '`id`',
      '$HOME',
      '$IFS',
      '$((1+1))',
      "'; exit 1; '",
      '"; exit 1; "',
      "'",
      "''",
      "\\'",
      '\\',
      'a\\',
      '-n',
      '--',
      '&& false',
      '| cat',
      '> /dev/null',
      'a\nb',
      'a\r\nb\n',
      '!!',
      '~root',
      '[a-z]*',
      '%s\\n',
      'Ana "B" <a@b.c>',
      'José 👩‍👧',
    ];
    const command = shellQuote(['printf', '%s\\0', ...words], 'linux');
    const output = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(output.split('\0')).toEqual([...words, '']);
  });

  test.skipIf(process.platform === 'win32')('an assignment is quoted into a command', () => {
    const command = `${shellQuote(['A=b'], 'linux')} || echo no command`;
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: 'pipe' })).toBe(
      'no command\n',
    );
  });
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
  [['mailer', 'C:\\my mail\\'], "mailer 'C:\\my mail\\'"],
  [['mailer', '-a.b', '--to:x', '--to'], 'mailer "-a.b" "--to:x" --to'],
])('Windows: %j', (args, expected) => {
  expect(shellQuote(args, 'win32')).toBe(expected);
});
