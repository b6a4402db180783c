import { expect, test } from 'vitest';
import { connected, errorOf } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const books = [
  {
    id: 'book_2',
    name: 'News\u001b[31m',
    doubleOptInEnabled: true,
    createdAt: '2026-01-15T09:00:00.000Z',
    _count: { contacts: 1200 },
    novel: 1,
  },
  { id: 'book_1', name: 'Customers', doubleOptInEnabled: false },
];

test('lists books with their contacts; control characters are visible', async () => {
  const { run, requests } = await connected({ body: books });
  const { stdout } = await run('contact book list --no-color', { terminal: 80 });
  expect(stdout).toBe(
    [
      'ID      NAME          CONTACTS  DOUBLE OPT-IN  CREATED',
      'book_2  News\\x1b[31m  1200      yes            1 hour ago, 2026-01-15 09:00',
      'book_1  Customers               no',
      '',
    ].join('\n'),
  );
  expect(requests()).toEqual(['GET /api/v1/contactBooks']);
});

test('in a pipe, columns are named as the fields', async () => {
  expect((await createWorld().run('contact book list --sandbox')).stdout).toBe(
    'id\tname\t_count.contacts\tdoubleOptInEnabled\tcreatedAt\nbook_customers\tCustomers\t12\tfalse\t2025-11-26T10:00:00.000Z\n',
  );
});

test('--json is the unmodified response, --jsonl a line for each, -q the ids', async () => {
  const { run } = await connected({ body: books }, { body: books }, { body: books });
  expect(JSON.parse((await run('contact book list --json')).stdout)).toEqual(books);
  const lines = (await run('contact book list --jsonl')).stdout.trim().split('\n');
  expect(lines.map((one) => JSON.parse(one))).toEqual(books);
  expect((await run('contact book list -q')).stdout).toBe('book_2\nbook_1\n');
});

test('--fields takes titles of columns, too', async () => {
  const { run } = await connected({ body: books });
  const { stdout } = await run('contact book list --fields name,contacts --csv');
  expect(stdout).toBe('name,contacts\r\nNews\u001b[31m,1200\r\nCustomers,\r\n');
});

test('none is reported on stderr', async () => {
  const { run } = await connected({ body: [] });
  expect(await run('contact book list')).toMatchObject({
    exitCode: 0,
    stderr: 'No contact books.\n',
  });
});

test('a service without contact books: 4', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  const outcome = await run('contact book list --json');
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome).code).toBe('not_offered');
});
