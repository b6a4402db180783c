import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

/** The fields on the help page of a command. */
async function fieldsOf(words: string): Promise<string | undefined> {
  const { stdout } = await createWorld().run(words);
  return /^JSON fields: ([\s\S]*)$/m.exec(stdout)?.[1]?.trim().replace(/\n/g, ' ');
}

test.each([
  ['contact list --help', 'email, firstName, lastName, subscribed'],
  ['help email list', 'latestStatus, lastEvent'],
  ['email list -h', 'affected; in --json, under data'],
  ['email send --help', 'emailId'],
])('%s names the fields', async (words, fields) => {
  expect(await fieldsOf(words)).toContain(fields);
});

test.each(['contact --help', '--help', 'api --help', 'help flags email list'])(
  '%s names none',
  async (words) => {
    expect(await fieldsOf(words)).toBeUndefined();
  },
);

test('each of them works', async () => {
  const list = 'contact list --book Customers --sandbox --csv --no-header';
  const fields = (await fieldsOf('contact list --help'))?.replaceAll(' ', '');
  const { exitCode, stderr } = await createWorld().run(`${list} --fields ${fields}`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});
