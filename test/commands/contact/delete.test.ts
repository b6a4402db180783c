import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'contact delete contact_ana --book book_customers';

test('deletes the contact; the second time it is not found', async () => {
  const world = createWorld();
  expect(await world.run(`${line} --sandbox --yes`)).toEqual({
    exitCode: 0,
    stdout: 'contact_ana\n',
    stderr: 'Deleted contact contact_ana.\n',
  });
  const again = await world.run(`${line} --sandbox --yes --json`);
  expect(again.exitCode).toBe(4);
  expect(JSON.parse(again.stderr).error.code).toBe('not_found');
});

test('one request without a body; --json is the unmodified response', async () => {
  const { world, service } = await connected({ body: { success: true, novel: 1 } });
  const { stdout } = await world.run(`${line} -y --json`);
  expect(JSON.parse(stdout)).toEqual({ success: true, novel: 1 });
  expect(service.requests).toMatchObject([
    {
      method: 'DELETE',
      path: '/api/v1/contactBooks/book_customers/contacts/contact_ana',
      headers: { authorization: 'Bearer us_key_1234567890' },
      body: '',
    },
  ]);
});

test('without a terminal it needs --yes, and nothing is deleted', async () => {
  const { world, service } = await connected();
  expect(await world.run(line)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: Nothing was deleted, because this needs confirmation: This deletes contact contact_ana from book book_customers, including its properties and subscription. Delete it?\nHint: To confirm, add --yes.\n',
  });
  expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(0);
  const { stderr } = await createWorld().run(`${line} --sandbox`);
  expect(stderr).toMatch(/This deletes contact \S+@\S+ from book book_customers/);
});

test.each([
  ['contact delete contact_ana --yes', 'Missing --book'],
  ['contact delete --book book_customers --yes', 'Missing CONTACT'],
  ['contact delete .. --book book_customers --yes', 'CONTACT: ".." cannot be an id'],
])('%s: 2, and nothing is sent', async (words, message) => {
  const { world, service } = await connected();
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('--dry-run needs no yes and no key', async () => {
  const { exitCode, stdout } = await createWorld().run(`${line} --dry-run`);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^DELETE \{base_url\}\/v1\/contactBooks\/book_customers\/contacts\/contact_ana\n/,
  );
});

test('success: false is an error', async () => {
  const { world } = await connected({ body: { success: false } });
  expect(await world.run(`${line} --yes`)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Error: The service did not carry out the request.\n',
  });
});

test('by address and name of the book', async () => {
  const words = 'contact delete delivered+ana@example.com --book Customers --sandbox --yes';
  expect(await createWorld().run(words)).toEqual({
    exitCode: 0,
    stdout: 'contact_ana\n',
    stderr: 'Deleted contact delivered+ana@example.com.\n',
  });
});
