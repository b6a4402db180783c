import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProjectFile } from '../../../../src/lib/service/account/project-file.ts';

/** Nested directories with project files of these texts, the innermost last. */
function nested(...texts: readonly (string | undefined)[]): readonly string[] {
  let directory = mkdtempSync(join(tmpdir(), 'mailer-project-'));
  return texts.map((text) => {
    directory = join(directory, 'in');
    mkdirSync(directory);
    if (text !== undefined) writeFileSync(join(directory, '.mailer.json'), text);
    return directory;
  });
}

async function readIn(cwd: string | undefined, user = process.geteuid?.()) {
  return await readProjectFile({ cwd: cwd ?? '', user });
}

test('nothing is found where there is no file', async () => {
  const [directory] = nested(undefined);
  expect(await readIn(directory)).toEqual({ policies: [], check: { ignore: [] } });
});

test('all files up to the root apply, innermost first; only the innermost one has checks', async () => {
  const [outer = '', , inner = ''] = nested(
    '{"policy":{"allowTo":["*@example.com"]},"check":{"ignore":["outer"]}}',
    '{}',
    '\uFEFF{"$schema":"x","policy":{"campaigns":false,"maxPerDay":0,"redirectTo":"a@example.com"},"check":{"ignore":["inner"]}}',
  );
  expect(await readIn(inner)).toEqual({
    policies: [
      {
        path: join(inner, '.mailer.json'),
        rules: { campaigns: false, maxPerDay: 0, redirectTo: 'a@example.com' },
        isForeign: false,
      },
      {
        path: join(outer, '.mailer.json'),
        rules: { allowTo: ['*@example.com'] },
        isForeign: false,
      },
    ],
    check: { ignore: ['inner'], path: join(inner, '.mailer.json') },
  });
});

test.each([
  ['{"policy":{"alowTo":[]}}', 'unknown field policy.alowTo'],
  ['{"polcy":{}}', 'unknown field polcy'],
  ['{"policy":{"allowTo":"*@example.com"}}', 'policy.allowTo: '],
  ['{"policy":{"allowTo":[" "]}}', 'policy.allowTo.0: '],
  ['{"policy":{"maxPerDay":-1}}', 'policy.maxPerDay: '],
  ['{"policy":{"campaigns":"off"}}', 'policy.campaigns: '],
  ['{"policy":{"allowTo":[]},"policy":{}}', '"policy" occurs twice in the file'],
  ['{"policy":', 'it is not JSON'],
  ['[]', 'expected object'],
  ['', 'it is not JSON'],
])('%s is an error that names the file', async (text, problem) => {
  const [directory = ''] = nested(text);
  const message = `${join(directory, '.mailer.json')}: `;
  await expect(readIn(directory)).rejects.toThrow(message);
  await expect(readIn(directory)).rejects.toThrow(problem);
});

test('an unreadable file is an error, not a missing file', async () => {
  const [directory = ''] = nested(undefined);
  const path = join(directory, '.mailer.json');
  mkdirSync(path);
  await expect(readIn(directory)).rejects.toThrow(`${path} cannot be read: it is a directory.`);
  const [circle = ''] = nested(undefined);
  symlinkSync('.mailer.json', join(circle, '.mailer.json'));
  await expect(readIn(circle)).rejects.toThrow('a symbolic link there cannot be followed');
  const [dangling = ''] = nested(undefined);
  symlinkSync('/nonexistent/policy.json', join(dangling, '.mailer.json'));
  await expect(readIn(dangling)).rejects.toThrow('it is a link to a missing file');
  const [large = ''] = nested(`{}${' '.repeat(1024 * 1024)}`);
  await expect(readIn(large)).rejects.toThrow('larger than 1 MiB');
});

test.each([
  ['root:*:20202:0:99999', 1, 1],
  ['', 1, 1],
  ['\uFEFF\n "us_secret"x', 2, 13],
  ['{\n\t"policy": {"maxPerDay": 5,}\n}', 2, 28],
  ['{"policy": us_secret}', 1, 12],
  ['{"us_secret" 1}', 1, 14],
  ['{"a": 1 "us_secret"}', 1, 9],
  ['[1, [2], {"a": [{}, "b"]}, us_secret]', 1, 28],
  ['["us_secret]', 1, 2],
  ['["\\x us_secret"]', 1, 2],
  ['[01]', 1, 3],
  ['{"a": {"b": "c"}', 1, 17],
  ['[1}', 1, 3],
  ['{"a": "b", 1: 2}', 1, 12],
  ['{{}', 1, 2],
  ['{"a": {"b"}}', 1, 11],
])('%j is not JSON: the error says where, and does not quote it', async (text, line, column) => {
  const [directory = ''] = nested(text);
  const reading = readIn(directory);
  await expect(reading).rejects.toThrow(`it is not JSON (line ${line}, column ${column})`);
  await expect(reading).rejects.not.toThrow(/secret|root/);
});

test('a file that others may change is marked as foreign', async () => {
  const text = '{"policy":{"allowTo":[]}}';
  const isForeign = async (directory: string, user?: number) =>
    (await readIn(directory, user)).policies.map((one) => one.isForeign);
  const [own = ''] = nested(text);
  expect(await isForeign(own)).toEqual([false]);
  expect(await isForeign(own, (process.geteuid?.() ?? 0) + 1)).toEqual(
    // A file of root's does not count as another user's.
    process.geteuid?.() === 0 ? [false] : [true],
  );
  chmodSync(join(own, '.mailer.json'), 0o666);
  expect(await isForeign(own)).toEqual([true]);
  const [open = ''] = nested(text);
  chmodSync(open, 0o777);
  expect(await isForeign(open)).toEqual([true]);
});
