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

const grouped = '9,007,199,254,740,993';
const id = 'cm3k9x2f8000008l4f2gh1q9z';
const book = { id, name: 'Customers', variables: [], _count: { contacts: 'LARGE' } };
const campaign = { id, name: 'News', contactBookId: id, sent: 'LARGE' };
const contacts = Array.from({ length: 5000 }, (_, at) => ({
  id: `contact_${at}`,
  email: `p${at}@example.org`,
  subscribed: true,
}));

test.each([
  [`contact list --book ${id}`, [contacts, book], grouped],
  [`contact export --book ${id}`, [book, contacts, book], grouped],
  ['contact get c --book Customers', [[book, { ...book, id: 'book_2' }]], `${large} contacts`],
  [
    `campaign schedule ${id} --now --yes`,
    [{ ...campaign, status: 'SENT' }],
    `to ${grouped} contacts`,
  ],
  [
    `campaign schedule ${id} --now --yes --expect-contacts 5`,
    [{ ...campaign, status: 'DRAFT' }, book],
    `at most ${grouped} contacts`,
  ],
  [
    `segment materialize ${id} --name A --allow-duplicate`,
    [[{ id, name: 'S' }], { listId: id, count: 'LARGE' }, []],
    `with ${grouped} contacts`,
  ],
])('%s: a sentence has all digits of a count', async (words, bodies, said) => {
  const { run } = await connected(...bodies.map((body) => ({ body: json(body) })));
  const { stderr } = await run(words);
  expect(stderr).toContain(said);
});
