import { expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

const emails = 'To list the emails: mailer email list --sandbox';
const contacts = 'To list its contacts: mailer contact list --book book_customers --sandbox';
const books =
  'There is no contact book "book_none". To list the contact books: mailer contact book list --sandbox';

test.each([
  ['email get email_none', emails],
  ['email cancel email_none', emails],
  ['email reschedule email_none --scheduled-at 2h', emails],
  ['contact get contact_none --book book_customers', contacts],
  ['contact get none@example.org --book book_customers', contacts],
  ['contact update contact_none --book book_customers --first-name Ana', contacts],
  ['contact delete contact_none --book book_customers --yes', contacts],
  ['contact get contact_ana --book book_none', books],
  ['contact book get book_none', books],
  ['campaign get camp_none1', 'To list the campaigns: mailer campaign list --sandbox'],
  ['segment preview None', 'To list the segments: mailer segment list --sandbox'],
  ['template get None', 'To list the templates: mailer template list --sandbox'],
  ['domain get none.example', 'To list the domains: mailer domain list --sandbox'],
  [
    'run get contacts.csv',
    'To list all runs: mailer run list --all --sandbox\nImports of contacts are no runs: to resume one, repeat its command.',
  ],
])('%s: the hint names the list', async (line, hint) => {
  const outcome = await createWorld().run(`${line} --sandbox --json`);
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome).hint).toBe(hint);
});

test('a path with a malformed escape: the hint repeats it', async () => {
  const { run } = await connected({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  const outcome = await run('api /v1/contactBooks/%zz/contacts/x --json');
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome).hint).toBe("To list its contacts: mailer contact list --book '%zz'");
});

test('a proxy that does not know the path: no such hint', async () => {
  const { run } = await connected({ status: 404, body: '<h1>Not Found</h1>' });
  const { hint } = errorOf(await run('email get email_1 --json'));
  expect(hint).not.toContain('email list');
});
