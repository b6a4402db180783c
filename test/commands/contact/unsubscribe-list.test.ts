import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'contact update - --book Customers --unsubscribed --sandbox';

/** The addresses of the book that are subscribed. */
async function subscribed(world: ReturnType<typeof createWorld>): Promise<string[]> {
  const { stdout } = await world.run('contact list --book Customers --sandbox --json');
  const contacts = JSON.parse(stdout) as { email: string; subscribed: boolean }[];
  return contacts.filter((one) => one.subscribed).map(({ email }) => email);
}

test('unsubscribes the addresses on stdin, in any capitals, and names those that the book does not have', async () => {
  const world = createWorld();
  const before = await subscribed(world);
  const [one = '', two = ''] = before;
  const list = `email\tstatus\n${one.toUpperCase()}\tBOUNCED\n# a note\n\n"Bo, B" <${two}>, nobody@example.net\n${one}\n`;
  const first = await world.run(line, { stdin: list });
  expect(first).toMatchObject({
    exitCode: 0,
    stderr: 'Unsubscribed 2 contacts of Customers. Not in the book: "nobody@example.net".\n',
  });
  expect(first.stdout.trim().split('\n')).toHaveLength(2);
  expect(await subscribed(world)).toEqual(before.filter((email) => ![one, two].includes(email)));
  const again = await world.run(`${line} --json`, { stdin: list });
  expect(JSON.parse(again.stdout)).toMatchObject({
    unsubscribed: [],
    already: [one, two],
    missing: ['nobody@example.net'],
  });
});

test.each([
  ['Opted out', 'no', 'yes'],
  ['Opted out', '', 'x'],
  ['Unsubscribed on', '2024-01-01', ''],
  ['Newsletter', 'yes', 'no'],
  ['Status', 'active', 'unsubscribed'],
  ['Status', 'subscribed', 'cleaned'],
])(
  'of people who differ by "%s", "%s" and "%s", nobody is unsubscribed',
  async (name, first, second) => {
    const world = createWorld();
    const [one, two] = await subscribed(world);
    for (const separator of [',', ';', '\t']) {
      const rows = [
        ['email', name],
        [one, first],
        [two, second],
      ];
      const stdin = rows.map((row) => `${row.join(separator)}\n`).join('');
      expect(await world.run(line, { stdin })).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(
          `stdin: "${name}" says that only some of these people want no`,
        ),
      });
    }
    expect(await subscribed(world)).toEqual(expect.arrayContaining([one, two]));
  },
);

test.each([
  ['reasons', 'Reason', 'bounce', 'complaint'],
  ['what happened to emails', 'lastEvent', 'BOUNCED', 'DELIVERED'],
  ['bounces and complaints', 'Status', 'bounced', 'complained'],
  ['dates', 'Unsubscribed on', '2024-01-01', '2024-01-02'],
  ['nobody', 'Opted out', '', ''],
  ['the subscribed ones', 'Newsletter', 'yes', 'yes'],
  ['what is listed', 'subscribed', 'true', 'false'],
  ['two reasons', 'Unsubscribed,Bounced', 'x,', ',x'],
])('all are unsubscribed by a list of %s', async (_, name, first, second) => {
  const world = createWorld();
  const [one, two] = await subscribed(world);
  const stdin = `email,${name}\n${one},${first}\n${two},${second}\n`;
  expect(await world.run(line, { stdin })).toMatchObject({ exitCode: 0 });
  expect(await subscribed(world)).not.toContain(two);
});

test.each([
  [
    'a line without an address',
    'ana@example.org\nAna Silva\n',
    'line 2 has no address: "Ana Silva"',
  ],
  ['a name', '"Ana Silva"\n', 'stdin: line 1 has no address: "Ana Silva"'],
  ['JSON', '[{"to":"ana@example.org"}]', 'line 1 has no address'],
  [
    'a name of one word',
    'ana@example.org\nAlexandra\n',
    'stdin: some lines are addresses, others are not: "Alexandra"',
  ],
  ['nothing', 'email\n', 'There are no addresses on stdin.'],
])('%s changes nothing', async (_, stdin, problem) => {
  const { world, service } = await connected();
  const { exitCode, stderr } = await world.run(
    'contact update - --book book_customers --unsubscribed',
    { stdin },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(problem);
  expect(service.requests).toEqual([]);
});

test.each(['--quiet', '--fields id', '--quiet --subscribed', ''])(
  'takes what contact list %s prints',
  async (flags) => {
    const world = createWorld();
    const before = await subscribed(world);
    expect(before).not.toEqual([]);
    const list = await world.run(`contact list --book Customers --sandbox ${flags}`);
    const { exitCode, stderr } = await world.run(line, { stdin: list.stdout });
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain(`Unsubscribed ${before.length} contacts of Customers.`);
    expect(await subscribed(world)).toEqual([]);
  },
);

test('ids of a book that is not listed whole are asked for, and a missing one is named', async () => {
  const contact = (index: number) => ({
    ...{ id: `contact_${index}`, email: `p${index}@x.example`, subscribed: true },
  });
  const all = Array.from({ length: 5000 }, (_, index) => contact(index));
  const missing = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'no' } } };
  const { world, service } = await connected(
    { body: all },
    { body: contact(7000) },
    missing,
    { body: { contactId: 'contact_1' } },
    { body: { contactId: 'contact_7000' } },
  );
  const { stdout, stderr } = await world.run(
    'contact update - --book book_customers --unsubscribed',
    { stdin: 'contact_1\ncontact_7000\ncontact_8000\n' },
  );
  expect(stderr).toContain('Not in the book: "contact_8000"');
  expect(stdout).toBe('contact_1\ncontact_7000\n');
  expect(service.requests.map(({ method }) => method)).toEqual([
    'GET',
    'GET',
    'GET',
    'PATCH',
    'PATCH',
  ]);
});

test('reads CSV by its header, also where the addresses are not in the first column', async () => {
  const world = createWorld();
  const [one = '', two = ''] = await subscribed(world);
  const stdin = `"First Name","Email Address"\n"Silva, Ana",${one}\nBo,${two}\n`;
  expect(await world.run(line, { stdin })).toMatchObject({
    exitCode: 0,
    stderr: 'Unsubscribed 2 contacts of Customers.\n',
  });
});

test('ends with 0 for an empty list with --allow-empty', async () => {
  const { exitCode, stdout } = await createWorld().run(`${line} --allow-empty`, { stdin: '' });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
});

test.each(['--subscribed', '--unsubscribed --first-name Ana', ''])(
  'changes nothing but subscriptions from stdin: %s',
  async (flags) => {
    const { exitCode, stderr } = await createWorld().run(
      `contact update - --book Customers --sandbox ${flags}`.trim(),
      { stdin: 'ana@example.org\n' },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('can only be unsubscribed');
  },
);

test('says how far it came when the service fails, and the same command continues', async () => {
  const contacts = ['a', 'b'].map((id) => ({ id, email: `${id}@example.org`, subscribed: true }));
  const { world, service } = await connected(
    { body: contacts },
    { body: { contactId: 'a' } },
    { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } },
  );
  const { exitCode, stderr } = await world.run(
    'contact update - --book book_customers --unsubscribed',
    { stdin: 'a@example.org\nb@example.org\n' },
  );
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    '1 of 2 contacts unsubscribed. To continue, run the same command again.',
  );
  expect(service.requests).toHaveLength(3);
});

test('--dry-run shows the request of each address, and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run(
    'contact update - --book book_customers --unsubscribed --dry-run',
    { stdin: 'a@example.org\nb@example.org\n' },
  );
  expect(exitCode).toBe(0);
  expect(stdout.match(/^PATCH .*/gm)).toEqual([
    'PATCH {base_url}/v1/contactBooks/book_customers/contacts/a%40example.org',
    'PATCH {base_url}/v1/contactBooks/book_customers/contacts/b%40example.org',
  ]);
});

test.each([
  [4999, false],
  [5000, true],
])(
  'does not claim to know all capitals in a book of which %i contacts are listed',
  async (listed, warns) => {
    const all = Array.from({ length: listed }, (_, index) => {
      return { id: `c${index}`, email: `p${index}@example.org`, subscribed: true };
    });
    const { world } = await connected({ body: [] }, { body: all });
    const { exitCode, stderr } = await world.run(
      'contact update - --book book_customers --unsubscribed',
      { stdin: 'Ana@example.org\n' },
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Not in the book: "Ana@example.org".');
    expect(stderr.includes('may be in it with other capitals')).toBe(warns);
  },
);
