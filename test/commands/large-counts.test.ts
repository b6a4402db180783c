import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';

/** As a number, it would be 9007199254740992. */
const large = '9007199254740993';

const json = (body: object) => JSON.stringify(body).replaceAll('"LARGE"', large);

const email = { id: 'email_1', to: 'ana@example.org', subject: 'Hi', latestStatus: 'SENT' };

test.each([
  ['email list --limit 1', { data: [email], count: 'LARGE' }, `1 of ${large}. Next`],
  ['email list --page 99999999999999', { data: [], count: 'LARGE' }, ''],
  ['email list --all --limit 1', { data: [], count: 'LARGE' }, `counts ${large} emails`],
  [
    'campaign list',
    { campaigns: [{ id: 'c_1', name: 'News' }], totalPage: 'LARGE' },
    `1 of ${large}. Next`,
  ],
])('%s: a note has all digits of a count', async (words, body, said) => {
  const { run } = await connected({ body: json(body) });
  const { stderr, stdout } = await run(words);
  expect(`${stdout}${stderr}`).toContain(said);
  expect(`${stdout}${stderr}`).not.toContain('740992');
});
