import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { batchLine } from '../support/batch.ts';
import { accept } from '../support/batch-service.ts';
import { connected } from '../support/connected.ts';
import { ctrlC, enter } from '../support/keys.ts';
import { peopleCsv } from '../support/people.ts';
import type { Answer } from '../support/recorder.ts';
import { worldWith } from '../support/stored-profiles.ts';

const time = '2026-01-15T08:00:00.000Z';
/** As in a list of a live server, with fields that do not matter here. */
const books = {
  body: [
    {
      ...{ id: 'book_1', name: 'Customers', teamId: 1, variables: ['plan'], properties: {} },
      ...{ doubleOptInEnabled: false, doubleOptInFrom: null, doubleOptInSubject: null },
      ...{ doubleOptInContent: null, isTest: false, createdAt: time, updatedAt: time, emoji: '📙' },
      _count: { contacts: 6 },
    },
    { id: 'book_2', name: 'Leads', teamId: 1, createdAt: time, updatedAt: time },
  ],
};
const campaign = (id: string, name: string) => ({ id, name, status: 'DRAFT', createdAt: time });

describe('an argument that is left out', () => {
  test.each([80, 120])(
    'is chosen from a list, which is fetched once; %i columns',
    async (columns) => {
      const long =
        'A campaign with a name that is much longer than a terminal is wide, or than most '.repeat(
          2,
        );
      const found = [campaign('c1', 'Spring'), campaign('c2', 'Spring'), campaign('c3', long)];
      const { run, requests } = await connected(
        { body: { campaigns: [...found, campaign('c4', 'News of March')] } },
        { body: { campaigns: [campaign('c4', 'News of March')] } },
        { body: campaign('c4', 'News of March') },
      );
      const { exitCode, text } = await atTerminal(
        run,
        'campaign get',
        [
          // Ambiguous names are replaced by ids.
          [/^\? Campaign[\s\S]*^❯ c1 +Spring, DRAFT$/m, 'march news'],
          [
            /❯ News of March +DRAFT/,
            () => {
              expect(requests()).toEqual(['GET /api/v1/campaigns']);
              return enter;
            },
          ],
        ],
        { columns },
      );
      expect(exitCode).toBe(0);
      expect(text).toMatch(/^✔ Campaign News of March$/m);
      expect(text).toMatch(/^Id +c4$/m);
    },
  );

  test('is the book first, then the contact in it', async () => {
    const contacts = [
      { id: 'k1', email: 'ana@example.org', firstName: 'Ana', lastName: null, subscribed: true },
      { id: 'k2', email: 'ben@example.org', subscribed: false, unsubscribeReason: null },
    ];
    const { run, requests } = await connected(
      ...[books, books],
      { body: contacts },
      books,
      { body: [contacts[0]] },
      { body: { contactId: 'k1' } },
    );
    const { exitCode } = await atTerminal(run, 'contact update --unsubscribed', [
      [/❯ Customers +6 contacts\n {2}Leads/, enter],
      [/❯ ana@example.org +Ana\n {2}ben@example.org +not subscribed/, enter],
    ]);
    expect(exitCode).toBe(0);
    expect(requests().at(-1)).toBe('PATCH /api/v1/contactBooks/book_1/contacts/k1');
  });

  test('of contact delete is asked about by its address, even if an id is given', async () => {
    const contact = { body: { id: 'k1', email: 'ana@example.org' } };
    const { run, requests } = await connected(books, books, contact, { body: { success: true } });
    const { exitCode, text } = await atTerminal(run, 'contact delete k1', [
      ['? Contact book', enter],
      ['This deletes contact ana@example.org from book Customers', `y${enter}`],
    ]);
    expect(exitCode).toBe(0);
    expect(text).toContain('Deleted contact ana@example.org.');
    expect(requests()).toHaveLength(4);
  });

  test('of contact book delete is asked about by its name and its contacts', async () => {
    const { run, requests } = await connected(books, books);
    const { exitCode } = await atTerminal(run, 'contact book delete', [
      ['? Contact book', enter],
      ['This deletes contact book "Customers" (id book_1) and 6 contacts', `n${enter}`],
    ]);
    expect(exitCode).toBe(2);
    expect(requests()).toHaveLength(2);
  });

  test('of profile use is one of the profiles', async () => {
    const { run } = await worldWith(
      { home: { baseUrl: 'https://a.example/api' }, work: {} },
      'home',
    );
    const { exitCode, text } = await atTerminal(run, 'profile use', [
      [/❯ home +https:\/\/a\.example\/api\n {2}work/, 'wor'],
      ['❯ work', enter],
    ]);
    expect(exitCode).toBe(0);
    expect(text).toContain('The current profile is work.');
  });

  test('is a usage error with what to do if there is nothing to choose from', async () => {
    const { run } = await connected({ body: [] });
    const { exitCode, text } = await atTerminal(run, 'contact book delete');
    expect(exitCode).toBe(2);
    expect(text).toContain('Error: There are no contact books.\nHint: To create one: ');
  });

  test.each([
    ['with --no-input', 'domain get --no-input', undefined],
    ['with stdin redirected', 'domain get', 'stdin'],
  ] as const)('is a usage error %s; nothing is requested', async (_, words, redirected) => {
    const { run, requests } = await connected();
    const { exitCode, text } = await atTerminal(run, words, [], { redirected });
    expect(exitCode).toBe(2);
    expect(text).toContain(
      'Error: Missing DOMAIN (id or name)\nHint: Usage: mailer domain get DOMAIN',
    );
    expect(requests()).toEqual([]);
  });
});

describe('a run that is left out', () => {
  /** A run that a service has partly accepted, and the service's next responses. */
  async function incompleteRun(...answers: readonly Answer[]) {
    const setup = await connected(accept, { status: 503 }, ...answers);
    setup.file('people.csv', peopleCsv(150));
    const words = [...batchLine, '--retries', '0', '--concurrency', '1'];
    expect((await setup.run(words)).exitCode).toBe(7);
    return setup;
  }

  const shown = /❯ [0-9a-f]{8} +incomplete, 100 of 150 accepted/;

  test('is resumed by run resume as it was started', async () => {
    const { run, requests } = await incompleteRun(accept);
    const { exitCode } = await atTerminal(
      run,
      'run resume',
      [
        [/^\? Run[\s\S]*❯ [0-9a-f]{8} +incomplete, 100 of 150 accepted/, enter],
        ['50 of 150 emails are left', `y${enter}`],
      ],
      { columns: 120 },
    );
    expect(exitCode).toBe(0);
    expect(requests()).toHaveLength(3);
  });

  test('is for run resume one that can be resumed, although another is newer', async () => {
    const { run, file } = await incompleteRun(accept);
    file('other.csv', 'to,subject,text\nana@example.org,Hi,Hello\n');
    const done = await run('email batch other.csv --from hello@example.com --yes');
    expect(done.exitCode).toBe(0);
    await atTerminal(
      run,
      'run resume',
      [
        [
          shown,
          (text) => {
            expect(text).not.toContain(' complete,');
            return ctrlC;
          },
        ],
      ],
      { columns: 120 },
    );
  });

  test('is chosen for run get and run delete', async () => {
    const { run, world } = await incompleteRun();
    const shows = await atTerminal(run, 'run get', [[shown, enter]], { columns: 120 });
    expect(shows.exitCode).toBe(0);
    expect(shows.text).toMatch(/^Left +50$/m);
    const deletes = await atTerminal(
      run,
      'run delete',
      [
        [shown, enter],
        ['Delete it? (y/N)', `y${enter}`],
      ],
      { columns: 300 },
    );
    expect(deletes.exitCode).toBe(0);
    const runs = readdirSync(join(world.home, '.local', 'state', 'mailer', 'runs'));
    expect(runs.filter((name) => name !== 'locks')).toEqual([]);
    const none = await atTerminal(run, 'run get');
    expect(none.exitCode).toBe(2);
    expect(none.text).toContain(
      'Error: There are no runs.\nHint: To start one: mailer email batch FILE',
    );
  });
});

test('a hostile name cannot draw on the terminal', async () => {
  const { run } = await connected({ body: [{ id: 'book_1', name: 'Nice\u001b[2J\r\nError' }] });
  const { output } = await atTerminal(run, 'contact book delete', [
    [/❯ book_1 +Nice\\x1b\[2J\\r\\nError/, ctrlC],
  ]);
  expect(output).not.toContain('\x1b[2J');
});
