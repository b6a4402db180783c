import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'event send signed_up --contact';
const reply = { body: { contactId: 'contact_1', novel: 1 } };

test('by id: one request; --json is the unmodified response', async () => {
  const { run, requests, sent } = await connected(reply);
  const { stdout } = await run(`${line} contact_1 --payload plan=pro --payload n=7 --json`);
  expect(JSON.parse(stdout)).toEqual(reply.body);
  expect(requests()).toEqual(['POST /api/v1/events/send']);
  expect(sent()).toEqual({
    ...{ name: 'signed_up', contactId: 'contact_1', payload: { plan: 'pro', n: '7' } },
  });
});

test('by address, in a book by its name; values of any type come from a file', async () => {
  const { run, requests, sent, file } = await connected(
    { body: [{ id: 'book_1', name: 'Customers' }] },
    reply,
  );
  const values = file('values.json', { total: 12.5, items: ['a'] });
  await run(`${line} ana@example.org --book Customers --payload-file ${values}`);
  expect(requests()).toEqual(['GET /api/v1/contactBooks', 'POST /api/v1/events/send']);
  expect(sent(1)).toEqual({
    name: 'signed_up',
    email: 'ana@example.org',
    contactBookId: 'book_1',
    payload: { total: 12.5, items: ['a'] },
  });
});

test('a name of a book that looks like an id is looked up before anything is sent', async () => {
  const { run, requests, sent } = await connected(
    { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found' } } },
    { body: [{ id: 'book_1', name: 'customers' }] },
    reply,
  );
  expect((await run(`${line} ana@example.org --book customers`)).exitCode).toBe(0);
  expect(requests().slice(1)).toEqual(['GET /api/v1/contactBooks', 'POST /api/v1/events/send']);
  expect(sent(2)).toMatchObject({ contactBookId: 'book_1' });
});

test('on the sandbox: the request is in its log', async () => {
  const world = createWorld();
  expect(await world.run(`${line} contact_ana --sandbox`)).toEqual({
    exitCode: 0,
    stdout: 'contact_ana\n',
    stderr: 'Sent event signed_up for contact contact_ana.\n',
  });
  const { stdout } = await world.run('sandbox logs');
  expect(stdout).toContain('/api/v1/events/send');
  const unknown = await world.run(`${line} nobody@example.org --book Customers --sandbox --json`);
  expect(unknown.exitCode).toBe(4);
  expect(errorOf(unknown)).toMatchObject({
    code: 'not_found',
    hint: 'To list its contacts: mailer contact list --book Customers --sandbox',
  });
});

test.each([
  ['event send signed_up', 'Missing --contact'],
  [`${line} ana@example.org`, 'Missing --book'],
  [`${line} contact_1 --payload plan`, '--payload: "plan" is not name=value'],
])('%s: 2, and nothing is sent', async (words, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('--dry-run prints the request and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run(`${line} contact_1 --dry-run --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ method: 'POST', body: { name: 'signed_up', contactId: 'contact_1' } },
  });
});

test('one whose response is lost is not repeated, and the error says that it may start twice', async () => {
  const { run, requests } = await connected((response) => response.destroy());
  const outcome = await run(`${line} contact_1 --json`);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toBe(
    'The event may have been processed. Sending it again may start the same automation twice. To find the cause: mailer doctor',
  );
  expect(requests()).toHaveLength(1);
});

test('a service without events: 4, not offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect(errorOf(await run(`${line} contact_1 --json`)).code).toBe('not_offered');
});
