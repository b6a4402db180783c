import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batchLine, runsDirectory, writePeople } from '../../support/batch.ts';
import { accept } from '../../support/batch-service.ts';
import { runHere } from '../../support/here.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { ctrlC, enter, openTerminal } from '../../support/terminal.ts';

const time = '2026-01-15T08:00:00.000Z';
/** As in a list of a live server, with fields that do not matter here. */
const books = [
  {
    ...{ id: 'book_1', name: 'Customers', teamId: 1, variables: ['plan'], properties: {} },
    ...{ doubleOptInEnabled: false, doubleOptInFrom: null, doubleOptInSubject: null },
    ...{ doubleOptInContent: null, isTest: false, createdAt: time, updatedAt: time, emoji: '📙' },
    _count: { contacts: 6 },
  },
  { id: 'book_2', name: 'Leads', teamId: 1, createdAt: time, updatedAt: time },
];
const campaign = (id: string, name: string) => ({ id, name, status: 'DRAFT', createdAt: time });

/** A terminal with an account on a service with these responses. */
async function terminalAt(line: string, answers: readonly Answer[], columns = 80) {
  const service = await startRecorder(...answers);
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  const terminal = openTerminal(createPlace(env), line, { columns });
  const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);
  const sent = (index: number): unknown => JSON.parse(service.requests[index]?.body ?? '');
  return { terminal, requests, sent };
}

describe('an argument that is left out', () => {
  test.each([80, 120])(
    'is chosen from a list, which is fetched once; %i columns',
    async (columns) => {
      const long =
        'A campaign with a name that is much longer than a terminal is wide, or than most '.repeat(
          2,
        );
      const found = [campaign('c1', 'Spring'), campaign('c2', 'Spring'), campaign('c3', long)];
      const { terminal, requests } = await terminalAt(
        'mailer campaign get',
        [
          { body: { campaigns: [...found, campaign('c4', 'News of March')] } },
          { body: { campaigns: [campaign('c4', 'News of March')] } },
          { body: campaign('c4', 'News of March') },
        ],
        columns,
      );
      await terminal.shows('? Campaign');
      // Ambiguous names are replaced by ids.
      await terminal.shows('c1');
      expect(terminal.text()).toMatch(/^❯ c1 +Spring, DRAFT$/m);
      terminal.type('march news');
      await terminal.shows(/❯ News of March +DRAFT/);
      expect(requests()).toEqual(['GET /api/v1/campaigns']);
      terminal.type(enter);
      expect(await terminal.end()).toBe(0);
      expect(terminal.text()).toMatch(/^✔ Campaign News of March$/m);
      expect(terminal.text()).toMatch(/^Id +c4$/m);
    },
  );

  test('is the book first, then the contact in it', async () => {
    const contacts = [
      { id: 'k1', email: 'ana@example.org', firstName: 'Ana', lastName: null, subscribed: true },
      { id: 'k2', email: 'ben@example.org', subscribed: false, unsubscribeReason: null },
    ];
    const { terminal, requests } = await terminalAt('mailer contact update --unsubscribed', [
      { body: books },
      { body: books },
      { body: contacts },
      { body: books },
      { body: [contacts[0]] },
      { body: { contactId: 'k1' } },
    ]);
    await terminal.shows(/❯ Customers +6 contacts\n {2}Leads/);
    terminal.type(enter);
    await terminal.shows(/❯ ana@example.org +Ana\n {2}ben@example.org +not subscribed/);
    terminal.type(enter);
    expect(await terminal.end()).toBe(0);
    expect(requests().at(-1)).toBe('PATCH /api/v1/contactBooks/book_1/contacts/k1');
  });

  test('of contact delete is asked about by its address, even if an id is given', async () => {
    const contact = { id: 'k1', email: 'ana@example.org' };
    const { terminal, requests } = await terminalAt('mailer contact delete k1', [
      { body: books },
      { body: books },
      { body: contact },
      { body: { success: true } },
    ]);
    await terminal.shows('? Contact book');
    terminal.type(enter);
    await terminal.shows('This deletes contact ana@example.org from book Customers');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toContain('Deleted contact ana@example.org.');
    expect(requests()).toHaveLength(4);
  });

  test('of contact book delete is asked about by its name and its contacts', async () => {
    const { terminal, requests } = await terminalAt('mailer contact book delete', [
      { body: books },
      { body: books },
    ]);
    await terminal.shows('? Contact book');
    terminal.type(enter);
    await terminal.shows('This deletes contact book "Customers" (id book_1) and 6 contacts');
    terminal.type(`n${enter}`);
    expect(await terminal.end()).toBe(2);
    expect(requests()).toHaveLength(2);
  });

  test('of profile use is one of the profiles', async () => {
    const place = createPlace();
    const profiles = { home: { baseUrl: 'https://a.example/api' }, work: {} };
    mkdirSync(place.configDirectory, { recursive: true, mode: 0o700 });
    const config = JSON.stringify({ currentProfile: 'home', profiles });
    writeFileSync(join(place.configDirectory, 'config.json'), config, { mode: 0o600 });
    const terminal = openTerminal(place, 'mailer profile use');
    await terminal.shows(/❯ home +https:\/\/a\.example\/api\n {2}work/);
    terminal.type('wor');
    await terminal.shows('❯ work');
    terminal.type(enter);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toContain('The current profile is work.');
  });

  /** A place with a run that a service has partly accepted, and the service's next responses. */
  async function incompleteRun(...answers: readonly Answer[]) {
    const service = await startRecorder(accept, { status: 503 }, ...answers);
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const place = createPlace(env);
    writePeople(place, 150);
    const { exitCode } = await place.run([...batchLine, '--retries', '0', '--concurrency', '1']);
    expect(exitCode).toBe(7);
    const shown = /❯ [0-9a-f]{8} +incomplete, 100 of 150 accepted/;
    return { place, service, shown };
  }

  test('a contact book of an import may be a new one, which is created first', async () => {
    const place = createPlace();
    writeFileSync(join(place.home, 'people.csv'), 'email\nana@example.org\n');
    const line = 'mailer contact import people.csv --sandbox';
    const terminal = openTerminal(place, line, { columns: 120 });
    await terminal.shows('? Contact book');
    terminal.type('New contact');
    await terminal.shows('❯ New contact book …');
    terminal.type(enter);
    await terminal.shows('? Name of the new contact book');
    terminal.type(`Readers${enter}`);
    await terminal.shows('There is no contact book "Readers". Create it? (y/N)');
    terminal.type(`y${enter}`);
    await terminal.shows('? Double opt-in');
    terminal.type('off');
    await terminal.shows('❯ off');
    terminal.type(enter);
    await terminal.shows(/1 (new )?contact.*\(y\/N\)|Import.*\(y\/N\)|Send.*\(y\/N\)/s);
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    const { stdout } = await runHere(place, 'contact list --book Readers --sandbox');
    expect(stdout).toContain('ana@example.org');
  });

  test('a contact book of a first contact may be a new one, too', async () => {
    const place = createPlace();
    const line = 'mailer contact add --email ana@example.org --sandbox';
    const terminal = openTerminal(place, line, { columns: 120 });
    await terminal.shows('? Contact book');
    terminal.type('New contact');
    await terminal.shows('❯ New contact book …');
    terminal.type(enter);
    await terminal.shows('? Name of the new contact book');
    terminal.type(`Readers${enter}`);
    await terminal.shows('There is no contact book "Readers". Create it? (y/N)');
    terminal.type(`y${enter}`);
    await terminal.shows('? Double opt-in');
    terminal.type('off');
    await terminal.shows('❯ off');
    terminal.type(enter);
    expect(await terminal.end()).toBe(0);
    const { stdout } = await runHere(place, 'contact list --book Readers --sandbox');
    expect(stdout).toContain('ana@example.org');
  });

  test('of run resume is a run, which is resumed as it was started', async () => {
    const { place, service, shown } = await incompleteRun(accept);
    const terminal = openTerminal(place, 'mailer run resume', { columns: 120 });
    await terminal.shows('? Run');
    await terminal.shows(shown);
    terminal.type(enter);
    await terminal.shows('50 of 150 emails are left');
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(service.requests).toHaveLength(3);
  });

  test('of run resume is one that can be resumed, although another is newer', async () => {
    const { place, shown } = await incompleteRun(accept);
    const other = 'to,subject,text\nana@example.org,Hi,Hello\n';
    writeFileSync(join(place.home, 'other.csv'), other);
    const done = 'email batch other.csv --from hello@example.com --yes';
    expect((await place.run(done)).exitCode).toBe(0);
    const terminal = openTerminal(place, 'mailer run resume', { columns: 120 });
    await terminal.shows(shown);
    expect(terminal.text()).not.toContain(' complete,');
    terminal.type(ctrlC);
    await terminal.end();
  });

  test('of run get and run delete is a run', async () => {
    const { place, shown } = await incompleteRun();
    const shows = openTerminal(place, 'mailer run get', { columns: 120 });
    await shows.shows(shown);
    shows.type(enter);
    expect(await shows.end()).toBe(0);
    expect(shows.text()).toMatch(/^Left +50$/m);
    const deletes = openTerminal(place, 'mailer run delete', { columns: 300 });
    await deletes.shows(shown);
    deletes.type(enter);
    await deletes.shows('Delete it? (y/N)');
    deletes.type(`y${enter}`);
    expect(await deletes.end()).toBe(0);
    expect(readdirSync(runsDirectory(place)).filter((name) => name !== 'locks')).toEqual([]);
    const none = openTerminal(place, 'mailer run get');
    expect(await none.end()).toBe(2);
    expect(none.text()).toContain(
      'Error: There are no runs.\nHint: To start one: mailer email batch FILE',
    );
  });

  test('is a usage error with what to do if there is nothing to choose from', async () => {
    const { terminal } = await terminalAt('mailer contact book delete', [{ body: [] }]);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Error: There are no contact books.\nHint: To create one: ');
  });

  test.each([
    ['with --no-input', 'mailer domain get --no-input'],
    ['with stdin redirected', 'mailer domain get < /dev/null'],
  ])('is a usage error %s; nothing is requested', async (_, line) => {
    const { terminal, requests } = await terminalAt(line, []);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain(
      'Error: Missing DOMAIN (id or name)\nHint: Usage: mailer domain get DOMAIN',
    );
    expect(requests()).toEqual([]);
  });
});

test('a hostile name cannot draw on the terminal', async () => {
  const { terminal } = await terminalAt('mailer contact book delete', [
    { body: [{ id: 'book_1', name: 'Nice\u001b[2J\r\nError' }] },
  ]);
  await terminal.shows(/❯ book_1 +Nice\\x1b\[2J\\r\\nError/);
});

test('the region of a new domain is that of the newest one, unless another is typed', async () => {
  const newest = {
    id: 2,
    name: 'b.example',
    status: 'SUCCESS',
    region: 'eu-west-1',
    dnsRecords: [],
  };
  const added = { ...newest, id: 3, name: 'c.example', status: 'PENDING' };
  for (const [typed, region] of [
    ['', 'eu-west-1'],
    ['us-east-1', 'us-east-1'],
  ]) {
    const { terminal, sent } = await terminalAt('mailer domain add c.example', [
      { body: [newest] },
      { body: added },
    ]);
    await terminal.shows('? Region (eu-west-1)');
    terminal.type(`${typed}${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(sent(1)).toEqual({ name: 'c.example', region });
    await terminal.shows('To verify it: mailer domain verify c.example --wait');
  }
});

test('an impossible region is no default: it could control the terminal', async () => {
  const domain = { id: 2, name: 'b.example', status: 'SUCCESS', dnsRecords: [] };
  const { terminal, sent } = await terminalAt('mailer domain add c.example', [
    { body: [{ ...domain, region: '\u001b[31mmars' }] },
    { body: { ...domain, id: 3, name: 'c.example', region: 'us-east-1' } },
  ]);
  await terminal.shows('? Region');
  terminal.type(enter);
  await terminal.shows('Required');
  terminal.type(`us-east-1${enter}`);
  expect(await terminal.end()).toBe(0);
  expect(sent(1)).toEqual({ name: 'c.example', region: 'us-east-1' });
});

test('a test of a campaign asks for the campaign and the recipient, before it reads the content', async () => {
  const html = '<a href="{{usesend_unsubscribe_url}}">x</a>';
  const full = { ...campaign('c4', 'News'), from: 'a@example.com', subject: 'News', html };
  const { terminal, requests, sent } = await terminalAt('mailer campaign test', [
    { body: { campaigns: [full], totalPage: 1 } },
    { body: { campaigns: [full], totalPage: 1 } },
    { body: full },
    { body: { emailId: 'email_1' } },
  ]);
  await terminal.shows('❯ News');
  terminal.type(enter);
  await terminal.shows('? To');
  expect(requests()).toHaveLength(1);
  terminal.type(`me@example.org${enter}`);
  expect(await terminal.end()).toBe(0);
  expect(sent(3)).toMatchObject({ to: 'me@example.org', subject: '[Test] News' });
});

describe('what a command of contacts needs', () => {
  test('is asked for: whether a new book has double opt-in', async () => {
    const created = { body: { id: 'book_3', name: 'News' } };
    const { terminal } = await terminalAt('mailer contact book create', [{ body: [] }, created]);
    await terminal.shows('? Name');
    terminal.type(`News${enter}`);
    await terminal.shows('❯ on: new contacts get an email that asks for confirmation');
    terminal.type('of');
    await terminal.shows('❯ off: new contacts are subscribed at once');
    terminal.type(enter);
    expect(await terminal.end()).toBe(0);
    expect(terminal.text()).toContain('Created contact book News. Double opt-in is off:');
  });

  test('is asked for: book and address, and whether an email may be sent', async () => {
    const asking = [{ ...books[0], doubleOptInEnabled: true }];
    const { terminal, requests } = await terminalAt('mailer contact add', [
      { body: asking },
      { body: asking },
      { body: [] },
      // In other capitals.
      { body: [] },
      { body: { contactId: 'k1' } },
    ]);
    await terminal.shows('? Contact book');
    terminal.type(enter);
    await terminal.shows('? Email address');
    terminal.type(`ana${enter}`);
    await terminal.shows('Write ana@example.com');
    terminal.type(`@example.org${enter}`);
    await terminal.shows('double opt-in: ana@example.org will get an email');
    expect(requests()).toHaveLength(4);
    terminal.type(`y${enter}`);
    expect(await terminal.end()).toBe(0);
    expect(requests().at(-1)).toBe('POST /api/v1/contactBooks/book_1/contacts');
  });
});
