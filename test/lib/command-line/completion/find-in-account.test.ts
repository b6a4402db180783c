import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Profile } from '../../../../src/lib/service/account/config/config-types.ts';
import { complete, valuesOf } from '../../../support/complete.ts';
import { linux, needing, notWindows, root } from '../../../support/needs.ts';
import { createPlace } from '../../../support/process.ts';
import { type Answer, type Recorder, startRecorder } from '../../../support/recorder.ts';
import { createWorld, type World } from '../../../support/run.ts';
import { configOf, worldWith } from '../../../support/stored-profiles.ts';

const apiKey = 'us_key_1234567890';

/** A domain in a live server's list, with the fields that matter here. */
const domain = (id: number, name: string) => ({ id, name, status: 'SUCCESS', dnsRecords: [] });
const domains = (...names: readonly string[]): Answer => ({
  body: names.map((name, index) => domain(index + 1, name)),
});
const campaigns = (...found: readonly object[]): Answer => ({ body: { campaigns: found } });
const emails = (...found: readonly object[]): Answer => ({ body: { data: found } });

/** Sends the start of a JSON response, and the rest after this time. */
function answerAfter(ms: number, beginning: string, body: unknown): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (beginning !== '') response.write(beginning);
    await vi.advanceTimersByTimeAsync(ms);
    response.end(JSON.stringify(body).slice(beginning.length));
  };
}

interface Account {
  readonly world: World;
  readonly service: Recorder;
}

/** A world whose current profile uses a recorder. */
async function account(...answers: readonly Answer[]): Promise<Account> {
  const service = await startRecorder(...answers);
  const world = await worldWith({ work: { baseUrl: service.baseUrl, apiKey } }, 'work');
  return { world, service };
}

const domainsOf = (world: World, flags = '') =>
  valuesOf(world, `domain get ${flags === '' ? '' : `${flags} `}`);

function cacheDirectory(world: World): string {
  return join(world.home, '.cache', 'mailer', 'completion');
}

function cacheFiles(world: World): string[] {
  const directory = cacheDirectory(world);
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

describe('what is found', () => {
  test('is the content of the account, requested once with its key', async () => {
    const { world, service } = await account(domains('a.example', 'b.example'));
    expect(await complete(world, 'domain get ')).toEqual({
      'a.example': 'SUCCESS',
      'b.example': 'SUCCESS',
    });
    expect(service.requests).toMatchObject([
      { method: 'GET', path: '/api/v1/domains', headers: { authorization: `Bearer ${apiKey}` } },
    ]);
  });

  test('is requested only where it is completed', async () => {
    const { world, service } = await account();
    for (const typed of [
      ...['domain ', 'domain get --', 'domain get --profile ', 'domain get a.example '],
      ...['email batch ', 'email list --timezone ', 'help domain get ', 'contact delete '],
    ]) {
      await complete(world, typed);
    }
    expect(service.requests).toEqual([]);
  });

  test('of campaigns is the name if unambiguous, else the id', async () => {
    const { world } = await account(
      campaigns(
        { id: 'c1', name: 'Spring news', status: 'DRAFT' },
        { id: 'c2', name: 'Twice', status: 'SENT' },
        { id: 'c3', name: 'Twice', status: 'DRAFT' },
        { id: 'c4', name: '--yes', status: 'DRAFT' },
        { id: 'c5', name: 'two\nlines \u001b]0;title\u0007', status: 'DRAFT' },
        { id: 'c6', name: ' ', status: null },
        { id: 'c7', name: null },
      ),
    );
    expect(await complete(world, 'campaign get ')).toEqual({
      'Spring news': 'DRAFT',
      c2: 'Twice, SENT',
      c3: 'Twice, DRAFT',
      c4: '--yes, DRAFT',
      c5: 'two\\nlines \\x1b]0;title\\x07, DRAFT',
      c6: ' ',
      c7: '',
    });
    expect(await complete(world, 'campaign get c1')).toMatchObject({ c1: 'Spring news' });
  });

  test('excludes names with control characters and names like flags', async () => {
    const { world } = await account(
      domains('a.example', 'evil\u001b[31m.example', 'x\ty', '\u202egnp.example', ''),
      emails({ id: '-y' }, { id: 'e\u0007' }, { id: 'fine', subject: 'a\tb\u001b[2J', to: null }),
    );
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(await complete(world, 'email get ')).toEqual({ fine: 'a\\tb\\x1b[2J' });
  });

  test('of books and templates are their names', async () => {
    const { world } = await account(
      { body: [{ id: 'b1', name: 'Customers', _count: { contacts: 1200 } }] },
      {
        body: [
          { id: 't1', name: 'Welcome', subject: 'Hello' },
          { id: 't2', name: 'tmpl_bye', subject: 'So long' },
          { id: 't3', name: 'order_sent', subject: 'It is on its way' },
        ],
      },
    );
    expect(await complete(world, 'contact book delete ')).toEqual({ Customers: '1,200 contacts' });
    expect(await complete(world, 'contact delete ana --book ')).toEqual({
      Customers: '1,200 contacts',
    });
    expect(await complete(world, 'email send --template ')).toEqual({
      Welcome: 'Hello',
      // By its id, because its name looks like an id.
      t2: 'tmpl_bye, So long',
      order_sent: 'It is on its way',
    });
  });

  test('of contacts are the addresses in the book that is given', async () => {
    const { world, service } = await account(
      { body: [{ id: 'b1', name: 'Customers' }] },
      {
        body: [
          { id: 'c1', email: 'ana@example.org', firstName: 'Ana', lastName: null },
          { id: 'c2', email: 'ben@example.org', subscribed: false },
        ],
      },
    );
    expect(await complete(world, 'contact update --book Customers ')).toEqual({
      'ana@example.org': 'Ana',
      'ben@example.org': 'not subscribed',
    });
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v1/contactBooks',
      '/api/v1/contactBooks/b1/contacts',
    ]);
    // Cached for that book only.
    expect(await complete(world, 'contact update ')).toEqual({});
  });

  test('of senders are the recent ones at verified domains, and those domains after a name', async () => {
    const answer: Answer = (response, { path }) => {
      const found = path.startsWith('/api/v1/domains')
        ? [domain(1, 'a.example'), { ...domain(2, 'b.example'), status: 'PENDING' }]
        : {
            data: [
              { id: 'e1', from: 'Ana <ana@a.example>' },
              { id: 'e2', from: 'ben@b.example' },
              { id: 'e3', from: 'Ana <ana@a.example>' },
            ],
          };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    };
    const { world } = await account(answer, answer);
    expect(await complete(world, 'email send --from ')).toEqual({
      'Ana <ana@a.example>': 'used recently',
    });
    expect(await complete(world, 'email send --from news@')).toMatchObject({
      'news@a.example': 'verified',
    });
  });

  test('of emails are only scheduled ones, if the service returns their status', async () => {
    const { world } = await account(
      emails(
        { id: 'e1', subject: 'Now', to: ['a@example.com', 'b@example.com'], latestStatus: 'SENT' },
        { id: 'e2', subject: 'Later', to: 'a@example.com', latestStatus: 'SCHEDULED' },
        { id: 'e3', subject: null, to: 'a@example.com' },
      ),
    );
    expect(await complete(world, 'email cancel ')).toEqual({
      e2: 'Later; a@example.com; SCHEDULED',
      e3: 'a@example.com',
    });
  });
});

describe('nothing is found, and nothing printed', () => {
  test('without an account, and nothing is sent or written', async () => {
    const world = createWorld();
    expect(await domainsOf(world)).toEqual([]);
    expect(await domainsOf(world, '--profile nobody')).toEqual([]);
    expect(await domainsOf(world, '--base-url https://a.example/api')).toEqual([]);
    expect(readdirSync(world.home)).toEqual([]);
  });

  test('if a command would have to print the key', async () => {
    const service = await startRecorder(domains('a.example'));
    const world = await worldWith({}, 'work');
    const keyCommand = `touch ${join(world.home, 'ran')}; echo ${apiKey}`;
    await configOf(world).update((config) => ({
      ...config,
      profiles: { work: { baseUrl: service.baseUrl, keyCommand } },
    }));
    expect(await domainsOf(world)).toEqual([]);
    expect(existsSync(join(world.home, 'ran'))).toBe(false);
    expect(service.requests).toEqual([]);
  });

  test('if the key is for another service, or would be sent over plain http', async () => {
    const { world, service } = await account(domains('a.example'));
    expect(await domainsOf(world, '--base-url https://b.example/api')).toEqual([]);
    await configOf(world).update((config) => ({
      ...config,
      profiles: { work: { baseUrl: 'http://mail.example/api', apiKey } },
    }));
    expect(await domainsOf(world)).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test.each([
    ['an expired key', { status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'No' } } }],
    ['a wrong key', { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } }],
    ['a rate limit', { status: 429, headers: { 'retry-after': '30' } }],
    ['a broken service', { status: 503, body: 'gone' }],
    ['a reply of another shape', { body: { domains: 1 } }],
    ['no JSON', { body: '<html>' }],
    ['a redirect to elsewhere', { status: 302, headers: { location: 'https://b.example/' } }],
  ] as const)('with %s, and there is only one request', async (_, answer) => {
    const { world, service } = await account(answer);
    expect(await domainsOf(world)).toEqual([]);
    expect(service.requests).toHaveLength(1);
    expect(world.clock.pauses).toEqual([]);
  });

  test.each([
    ['answers late', ''],
    ['is late with the end of its answer', '['],
  ])('if the service %s, after half a second', async (_, beginning) => {
    const late = await account(answerAfter(500, beginning, [domain(1, 'a.example')]));
    expect(await domainsOf(late.world)).toEqual([]);
    expect(late.service.requests).toHaveLength(1);
    const soon = await account(answerAfter(499, beginning, [domain(1, 'a.example')]));
    expect(await domainsOf(soon.world)).toEqual(['a.example']);
  });

  test('from a damaged configuration, which a command reports later', async () => {
    const { world, service } = await account();
    const directory = join(world.home, '.config', 'mailer');
    const path = join(directory, 'config.json');
    for (const text of [
      '{"profiles":',
      '[]',
      '{"profiles":[]}',
      '{"currentProfile":1}',
      'null',
      '{"profiles":{"default":7}}',
    ]) {
      writeFileSync(path, text);
      chmodSync(path, 0o644);
      expect(await domainsOf(world)).toEqual([]);
      expect(await valuesOf(world, 'whoami --base-url ')).toEqual([]);
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o644);
    }
    expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
    expect(service.requests).toEqual([]);
  });
});

describe('the account', () => {
  test('is that of flags and environment', async () => {
    const [work, home] = [
      await startRecorder(domains('work.example'), domains('work.example')),
      await startRecorder(domains('home.example')),
    ];
    const profiles: Record<string, Profile> = {
      work: { baseUrl: work.baseUrl, apiKey },
      home: { baseUrl: home.baseUrl, apiKey: 'us_other_key_123456' },
    };
    const world = await worldWith(profiles, 'work');
    expect(await domainsOf(world)).toEqual(['work.example']);
    expect(await domainsOf(world, '--profile home')).toEqual(['home.example']);
    expect(await valuesOf(world, '--profile=home domain get ')).toEqual(['home.example']);
    world.env.MAILER_PROFILE = 'home';
    expect(await domainsOf(world)).toEqual(['home.example']);
    expect(await domainsOf(world, '--profile work')).toEqual(['work.example']);
    expect([work.requests.length, home.requests.length]).toEqual([1, 1]);
  });

  test('of the environment gets no other request for a while if its service does not respond', async () => {
    const { world, service } = await account(
      ...[{ status: 503 }, { status: 503, body: 'gone' }, domains('a.example')],
    );
    const options = { env: { MAILER_API_KEY: 'us_key_of_the_environment' } };
    const values = () => valuesOf(world, 'domain get ', options);
    expect(await values()).toEqual([]);
    expect(await values()).toEqual([]);
    expect(service.requests).toHaveLength(1);
    const [file = ''] = cacheFiles(world);
    expect(readFileSync(file, 'utf8')).toBe('[]');
    // A profile at the same service has a cache of its own.
    expect(await domainsOf(world)).toEqual([]);
    expect(service.requests).toHaveLength(2);
    world.clock.advance(10_000);
    expect(await values()).toEqual(['a.example']);
  });

  test('of the environment is requested again after a rejection, because the key may have changed', async () => {
    const { world } = await account({ status: 401 }, domains('a.example'));
    const options = { env: { MAILER_API_KEY: 'us_key_of_the_environment' } };
    expect(await valuesOf(world, 'domain get ', options)).toEqual([]);
    expect(cacheFiles(world)).toEqual([]);
    expect(await valuesOf(world, 'domain get ', options)).toEqual(['a.example']);
  });

  test('is kept apart from another one at the same service', async () => {
    const { baseUrl } = await startRecorder(domains('work.example'), domains('home.example'));
    const profiles = { work: { baseUrl, apiKey }, home: { baseUrl, apiKey: 'us_other_key_1234' } };
    const world = await worldWith(profiles, 'work');
    expect(await domainsOf(world)).toEqual(['work.example']);
    expect(await domainsOf(world, '--profile home')).toEqual(['home.example']);
  });

  test('of the environment is not cached: its key may change at any time', async () => {
    const { world, service } = await account(
      ...[domains('a.example'), domains('b.example'), domains('c.example')],
    );
    world.env.MAILER_API_KEY = 'us_key_of_the_environment';
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(cacheFiles(world)).toEqual([]);
    expect(service.requests[1]?.headers.authorization).toBe('Bearer us_key_of_the_environment');
    delete world.env.MAILER_API_KEY;
    expect(await domainsOf(world)).toEqual(['c.example']);
  });
});

describe('the cache', () => {
  test('is used for a minute', async () => {
    const { world, service } = await account(domains('a.example'), domains('b.example'));
    expect(await domainsOf(world)).toEqual(['a.example']);
    world.clock.advance(59_000);
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(await valuesOf(world, 'domain get 1')).toContain('1');
    world.clock.advance(1_000);
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(service.requests).toHaveLength(2);
  });

  test('is used when old if the service does not respond', async () => {
    const { world, service } = await account(
      ...[domains('a.example'), { status: 503 }, domains('b.example')],
    );
    expect(await domainsOf(world)).toEqual(['a.example']);
    world.clock.advance(3_600_000);
    expect(await domainsOf(world)).toEqual(['a.example']);
    world.clock.advance(9_000);
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(service.requests).toHaveLength(2);
    world.clock.advance(1_000);
    expect(await domainsOf(world)).toEqual(['b.example']);
  });

  test('shows nothing that the key may no longer see', async () => {
    const { world } = await account(domains('a.example'), { status: 401 });
    expect(await domainsOf(world)).toEqual(['a.example']);
    world.clock.advance(60_000);
    expect(await domainsOf(world)).toEqual([]);
    expect(await domainsOf(world)).toEqual([]);
  });

  test('ends with a change of the configuration: another login, logout', async () => {
    const { world, service } = await account(domains('a.example'), domains('b.example'));
    expect(await domainsOf(world)).toEqual(['a.example']);
    const change = (profile: Profile) =>
      configOf(world).update((config) => ({ ...config, profiles: { work: profile } }));
    await change({ baseUrl: service.baseUrl, apiKey: 'us_other_key_123456' });
    expect(await domainsOf(world)).toEqual(['b.example']);
    await change({ baseUrl: service.baseUrl });
    expect(await domainsOf(world)).toEqual([]);
    expect(service.requests).toHaveLength(2);
  });

  test('of a login is not filled by a response to the one before', async () => {
    const { world, service } = await account((response) => {
      const other = { baseUrl: service.baseUrl, apiKey: 'us_other_key_123456' };
      void configOf(world)
        .update((config) => ({ ...config, profiles: { work: other } }))
        .then(() => response.end(JSON.stringify([domain(1, 'a.example')])));
    }, domains('b.example'));
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(await domainsOf(world)).toEqual(['b.example']);
  });

  test('contains no part of a key, and only its owner can read it', async () => {
    const { world } = await account(
      domains('a.example'),
      campaigns({ id: 'c1', name: 'Spring', status: 'DRAFT' }),
      emails({ id: 'e1' }),
    );
    mkdirSync(cacheDirectory(world), { recursive: true, mode: 0o755 });
    for (const typed of ['domain get ', 'campaign get ', 'email get '])
      await complete(world, typed);
    const files = cacheFiles(world);
    expect(files).toHaveLength(3);
    expect(statSync(cacheDirectory(world)).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(`${file} ${readFileSync(file, 'utf8')}`).not.toMatch(/us_|1234567890|Bearer|127\.0/);
    }
  });

  test.each([
    '',
    '{',
    'null',
    '{}',
    '"x"',
    '[1]',
    '[{"value":"x"}]',
    '[{"value":"x","description":""},{}]',
  ])('is not used if damaged: %s', async (text) => {
    const { world } = await account(domains('a.example'), domains('b.example'));
    expect(await domainsOf(world)).toEqual(['a.example']);
    for (const file of cacheFiles(world)) writeFileSync(file, text);
    world.clock.advance(1000);
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(cacheFiles(world)).toHaveLength(1);
  });

  test('is not required', async () => {
    const { world, service } = await account(domains('a.example'), domains('b.example'));
    writeFileSync(join(world.home, '.cache'), 'a file');
    expect(await domainsOf(world)).toEqual(['a.example']);
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(service.requests).toHaveLength(2);
  });

  test('keeps nothing for longer than a minute, once something is looked up', async () => {
    const { world } = await account(domains('a.example'), emails({ id: 'e1' }), campaigns());
    await domainsOf(world);
    await complete(world, 'email get ');
    const [old = ''] = cacheFiles(world);
    // Files left by a killed process and by an older version.
    for (const name of [`${old}.half`, join(cacheDirectory(world), 'old.json')]) {
      writeFileSync(name, '[]');
    }
    world.clock.advance(59_999);
    await domainsOf(world);
    expect(cacheFiles(world)).toHaveLength(3);
    world.clock.advance(1);
    await complete(world, 'campaign get ');
    expect(cacheFiles(world)).toHaveLength(1);
  });

  test('from a later time is deleted after the clock is set back', async () => {
    const { world } = await account(domains('a.example'), domains('b.example'));
    await domainsOf(world);
    world.clock.now -= 60_000;
    expect(await domainsOf(world)).toEqual(['b.example']);
    expect(cacheFiles(world)).toHaveLength(1);
  });

  test.each([
    ['logout', 'logout'],
    ['the end of a profile', 'profile delete work --yes'],
  ])('is gone after %s', async (_, words) => {
    const { world } = await account(domains('a.example'), emails({ id: 'e1', subject: 'S' }));
    await domainsOf(world);
    await complete(world, 'email get ');
    expect(cacheFiles(world)).toHaveLength(2);
    expect(await world.run(words)).toMatchObject({ exitCode: 0 });
    expect(cacheFiles(world)).toEqual([]);
  });

  test('that cannot be removed does not prevent logging out', async () => {
    const { world } = await account();
    writeFileSync(join(world.home, '.cache'), 'a file');
    expect(await world.run('logout')).toMatchObject({ exitCode: 0 });
  });
});

describe('the cache, if others may change it', needing(notWindows), () => {
  /** Only root can give files to other users. */
  const somebody = 54_321;

  /** A world whose cache has a domain that the service no longer returns. */
  async function withKept(): Promise<Account> {
    const known = await account(domains('kept.example'), domains('new.example'));
    await domainsOf(known.world);
    return known;
  }

  const moved = (world: World) => join(world.home, 'elsewhere');

  /** Moves the cache and replaces it with a link to it. */
  function link(world: World): string {
    renameSync(cacheDirectory(world), moved(world));
    symlinkSync(moved(world), cacheDirectory(world));
    return cacheDirectory(world);
  }

  test('is used if others cannot reach it, as these tests assume', async () => {
    const { world } = await withKept();
    chmodSync(dirname(cacheDirectory(world)), 0o755);
    expect(await domainsOf(world)).toEqual(['kept.example']);
    link(world);
    expect(await domainsOf(world)).toEqual(['kept.example']);
  });

  test.each<[string, (world: World) => void]>([
    ['in a directory that others may write to', (world) => chmodSync(cacheDirectory(world), 0o777)],
    ['below such a one', (world) => chmodSync(join(world.home, '.cache'), 0o770)],
    [
      'in a file that others may write to',
      (world) => {
        for (const file of cacheFiles(world)) chmodSync(file, 0o620);
      },
    ],
    [
      'behind a link in place of a file',
      (world) => {
        const [file = ''] = cacheFiles(world);
        renameSync(file, moved(world));
        symlinkSync(moved(world), file);
      },
    ],
  ])('is not used %s', async (_, change) => {
    const { world } = await withKept();
    change(world);
    expect(await domainsOf(world)).toEqual(['new.example']);
  });

  test.each<[string, (world: World) => void]>([
    ['in a directory of theirs', (world) => chownSync(cacheDirectory(world), somebody, somebody)],
    ['below one', (world) => chownSync(join(world.home, '.cache'), somebody, somebody)],
    [
      'in a file of theirs',
      (world) => {
        for (const file of cacheFiles(world)) chownSync(file, somebody, somebody);
      },
    ],
    ['behind a link of theirs', (world) => lchownSync(link(world), somebody, somebody)],
  ])('is not used %s', needing(root), async (_, change) => {
    const { world } = await withKept();
    change(world);
    expect(await domainsOf(world)).toEqual(['new.example']);
  });

  test('is neither created nor removed in a directory of another user', needing(root), async () => {
    const { world, service } = await account(domains('a.example'), domains('b.example'));
    const theirs = join(world.home, 'theirs');
    mkdirSync(theirs);
    chownSync(theirs, somebody, somebody);
    const env = { XDG_CACHE_HOME: theirs };
    expect(await valuesOf(world, 'domain get ', { env })).toEqual(['a.example']);
    expect(await valuesOf(world, 'domain get ', { env })).toEqual(['b.example']);
    expect(service.requests).toHaveLength(2);
    expect(readdirSync(theirs)).toEqual([]);
    const kept = join(theirs, 'mailer', 'completion');
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, 'one'), '');
    expect(await world.run('logout', { env })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(kept)).toEqual(['one']);
  });

  test('is not created below the working directory', async () => {
    const { baseUrl } = await startRecorder(domains('a.example'));
    const place = createPlace({ HOME: 'relative', XDG_CACHE_HOME: '' });
    mkdirSync(place.configDirectory, { mode: 0o700 });
    const config = JSON.stringify({ profiles: { default: { baseUrl, apiKey } } });
    writeFileSync(join(place.configDirectory, 'config.json'), config, { mode: 0o600 });
    const { stdout } = await place.run(['__complete', 'fish', 'domain', 'get', '']);
    // Nothing, if this machine is too slow for a response in half a second.
    expect(['', 'a.example\tSUCCESS\n']).toContain(stdout);
    expect(readdirSync(place.home)).toEqual(['config']);
  });

  test('is removed as a link, but not its target', async () => {
    const { world } = await withKept();
    link(world);
    expect(await world.run('logout')).toMatchObject({ exitCode: 0 });
    expect(existsSync(cacheDirectory(world))).toBe(false);
    expect(readdirSync(moved(world))).toHaveLength(1);
  });

  test('does not delay completion', needing(linux), async () => {
    const { world } = await withKept();
    const [file = ''] = cacheFiles(world);
    rmSync(file);
    execFileSync('mkfifo', ['-m', '600', file]);
    expect(await domainsOf(world)).toEqual(['new.example']);
    expect(cacheFiles(world).map((one) => statSync(one).isFile())).toEqual([true]);
  });
});

describe('what is in the cache', () => {
  test.each(['fish', 'zsh', 'bash', 'powershell'])(
    'does not control the terminal: %s',
    async (shell) => {
      const { world } = await account(domains('a.example'));
      await domainsOf(world);
      const control = '\u001b]0;title\u0007\u009b2J\u202e\r';
      const kept = [
        { value: `a${control}.example`, description: '' },
        { value: 'b.example', description: `said ${control}\nmore` },
        { value: '-y', description: '' },
        { value: '$(id)', description: '' },
      ];
      for (const file of cacheFiles(world)) writeFileSync(file, JSON.stringify(kept));
      const line = 'mailer domain get ';
      const words =
        {
          fish: ['domain', 'get', ''],
          zsh: ['80', 'domain', 'get', ''],
          // TAB TAB, which lists with descriptions.
          bash: ['63', '80', line, ''],
          powershell: [Buffer.from('domain\nget\n').toString('base64')],
        }[shell] ?? [];
      const { exitCode, stdout, stderr } = await world.run(['__complete', shell, ...words]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain('b.example');
      // Tabs and line breaks are the separators.
      expect(stdout.replace(/[\t\n]/g, '')).toMatch(/^[ -~]*$/);
      expect(stdout).not.toMatch(/^(a|-y)/m);
      expect(stdout.split('\n').length).toBeLessThanOrEqual(3);
      // Bash and PowerShell insert the text unmodified, so it is quoted.
      if (shell === 'bash') expect(stdout).toContain('\\$\\(id\\)');
      if (shell === 'powershell') expect(stdout).toContain("'$(id)'");
    },
  );
});
