import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { line as batchLine, down, setUp } from '../support/batch-run.ts';
import { accept } from '../support/batch-service.ts';
import { complete } from '../support/complete.ts';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { startRecorder } from '../support/recorder.ts';
import { createWorld, type World } from '../support/run.ts';
import { worldWith } from '../support/stored-profiles.ts';

const send = 'email send --to a@example.org --from hello@example.com --subject Hi --text Hello';
const later = `${send} --scheduled-at 2026-01-20T09:00:00Z`;

function directoryOf({ home }: World): string {
  return join(home, '.local', 'state', 'mailer', 'last');
}

async function idOf(world: World, words: string | readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await world.run(words);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('an email', () => {
  test('is fetched, moved and cancelled; what is printed has its id', async () => {
    const world = createWorld();
    await idOf(world, `${send} --sandbox -q`);
    world.clock.advance(1000);
    const id = await idOf(world, `${later} --sandbox -q`);
    const fetched = await world.run('email get @last --sandbox --json');
    expect(JSON.parse(fetched.stdout).id).toBe(id);
    const moved = await world.run(
      'email reschedule @last --scheduled-at 2026-01-21T09:00:00Z --sandbox',
    );
    expect(moved.stdout).toBe(`${id}\n`);
    expect(await world.run('email cancel @last --sandbox')).toEqual({
      exitCode: 0,
      stdout: `${id}\n`,
      stderr: `Cancelled email ${id}.\n`,
    });
  });

  test('is replied to', async () => {
    const { world, sent } = await connected(
      { body: { emailId: 'email_1' } },
      { body: { emailId: 'email_2' } },
    );
    await idOf(world, send);
    await idOf(world, `${send} --in-reply-to @last`);
    expect(sent(1)).toMatchObject({ inReplyToId: 'email_1' });
  });

  test('whose reply has an unknown outcome is named in the command that repeats that', async () => {
    const { world } = await connected({ body: { emailId: 'email_1' } }, down);
    await idOf(world, send);
    const { stderr } = await world.run(`${send} --in-reply-to @last --retries 0`);
    expect(stderr).toContain('--in-reply-to email_1');
    expect(stderr).not.toContain('@last');
  });

  test('that was rejected or lost is not the last one', async () => {
    const { world, requests } = await connected(
      { body: { emailId: 'email_1' } },
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } },
      down,
    );
    await idOf(world, send);
    expect((await world.run(send)).exitCode).toBe(1);
    expect((await world.run(`${send} --retries 0`)).exitCode).toBe(7);
    await world.run('email cancel @last');
    expect(requests().at(-1)).toBe('POST /api/v1/emails/email_1/cancel');
  });
});

describe('a campaign', () => {
  const create = [
    ...['campaign', 'create', '--name', 'Spring news', '--subject', 'Spring', '--sandbox', '-q'],
    ...['--from', 'news@example.com', '--book', 'book_customers'],
    ...['--html', '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>'],
  ];

  test('is fetched, started, and deleted', async () => {
    const world = createWorld();
    const id = await idOf(world, create);
    const { stdout } = await world.run('campaign get @last --sandbox --json');
    expect(JSON.parse(stdout)).toMatchObject({ id, name: 'Spring news' });
    expect(await idOf(world, 'campaign schedule @last --yes --now --sandbox')).toBe(id);
    expect(await idOf(world, 'campaign resume @last --yes --again --sandbox')).toBe(id);
    const asked = await world.run('campaign delete @last --sandbox');
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain(`(${id}, SENT) with its content`);
    expect((await world.run('campaign delete @last --sandbox --yes')).stderr).toBe(
      'Deleted campaign Spring news.\n',
    );
  });
});

describe('a contact', () => {
  test('created with api is changed and deleted', async () => {
    const world = createWorld();
    const contacts = '/v1/contactBooks/book_customers/contacts';
    const created = await world.run(`api POST ${contacts} -f email=eva@example.org --sandbox`);
    const { contactId } = JSON.parse(created.stdout);
    const update = 'contact update @last --book book_customers --first-name Eva --sandbox';
    expect(await idOf(world, update)).toBe(contactId);
    const { stdout } = await world.run(`api GET ${contacts}/@last --sandbox`);
    expect(JSON.parse(stdout)).toMatchObject({ id: contactId, firstName: 'Eva' });
    const remove = 'contact delete @last --book book_customers --sandbox --yes';
    expect(await idOf(world, remove)).toBe(contactId);
  });

  test('knows its book, so --book can be left out', async () => {
    const world = createWorld();
    const add = 'contact add --book Customers --email eva@example.org --sandbox -q';
    const id = await idOf(world, add);
    expect(await idOf(world, 'contact update @last --first-name Eva --sandbox')).toBe(id);
    expect(await world.run('contact delete @last --sandbox')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'This deletes contact eva@example.org from book book_customers',
      ),
    });
    expect(await idOf(world, 'contact delete @last --sandbox --yes')).toBe(id);
  });

  test('whose book api has, too; a given book takes precedence', async () => {
    const { world, requests } = await connected(
      { body: { contactId: 'contact_1' } },
      { body: { id: 'contact_1', email: 'a@example.org' } },
      { body: { id: 'contact_1', email: 'a@example.org' } },
    );
    await idOf(world, 'api POST /v1/contactBooks/book_1/contacts -f email=a@example.org');
    await idOf(world, 'contact get @last -q');
    await idOf(world, 'contact get @last --book book_2 -q');
    expect(requests().slice(1)).toEqual([
      'GET /api/v1/contactBooks/book_1/contacts/contact_1',
      'GET /api/v1/contactBooks/book_2/contacts/contact_1',
    ]);
  });

  test('of an earlier version, which kept no book, needs --book', async () => {
    const { world } = await connected({ body: { contactId: 'contact_1' } });
    await idOf(world, 'api POST /v1/contactBooks/book_1/contacts -f email=a@example.org');
    const [name = ''] = readdirSync(directoryOf(world));
    const path = join(directoryOf(world), name);
    expect(readFileSync(path, 'utf8')).toBe('book_1/contact_1');
    writeFileSync(path, 'contact_1');
    expect((await world.run('contact get @last')).stderr).toBe('Error: Missing --book\n');
  });
});

test('paths of api have it too, but only in place of an id of that kind', async () => {
  const { world, requests } = await connected(
    { body: { emailId: 'email/1?' } },
    { body: { data: [{ emailId: 'email_1' }, { emailId: 'email 2' }] } },
    { body: { data: [{ emailId: 'email_1' }, { emailId: 'email_ü' }] } },
  );
  // Ids that cannot be part of a path are not kept.
  await idOf(world, 'api POST /v1/emails -f to=a@example.org');
  await idOf(world, 'api POST /v1/emails/batch -f to=a@example.org');
  expect((await world.run('api GET /v1/emails/@last')).exitCode).toBe(4);
  await idOf(world, 'api POST /v1/emails/batch?x=1 -f to=a@example.org');
  await world.run('api GET /v1/emails/@last --retries 0');
  await world.run('api POST /v1/emails/@last/cancel?x=@last --retries 0');
  await world.run('api GET /v1/emails/@lastly --retries 0');
  await world.run('api GET /v1/domains/@last --retries 0');
  expect(requests().slice(3)).toEqual([
    'GET /api/v1/emails/email_%C3%BC',
    'POST /api/v1/emails/email_%C3%BC/cancel?x=@last',
    'GET /api/v1/emails/@lastly',
    'GET /api/v1/domains/@last',
  ]);
});

describe('email batch', () => {
  test('makes the last row that was accepted the last email, also if it breaks off', async () => {
    const { world, requests } = await setUp(150, accept, down);
    expect((await world.run([...batchLine, '--retries', '0'])).exitCode).toBe(7);
    const [first = ''] = requests();
    expect(first).toBe('POST /api/v1/emails/batch');
    await world.run('email get @last');
    expect(requests().at(-1)).toMatch(/^GET \/api\/v1\/emails\/.*p100/);
  });

  test('needs the id for --in-reply-to: the same line must resume the same run', async () => {
    const { world, requests } = await setUp(2, { body: { emailId: 'email_1' } });
    await idOf(world, send);
    const outcome = await world.run([...batchLine, '--in-reply-to', '@last', '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).hint).toBe('It is now: --in-reply-to email_1');
    expect(requests()).toHaveLength(1);
  });
});

describe('nothing is the last one', () => {
  test.each([
    ['email get @last', 'email', 'mailer email list'],
    ['email cancel @last --dry-run', 'email', 'mailer email list'],
    ['campaign delete @last --yes', 'campaign', 'mailer campaign list'],
    ['contact delete @last --book b --yes', 'contact', 'mailer contact list --book BOOK'],
    ['contact book delete @last --yes', 'contact book', 'mailer contact book list'],
    ['api GET /v1/campaigns/@last', 'campaign', 'mailer campaign list'],
    [`${send} --in-reply-to @last`, 'email', 'mailer email list'],
  ])('%s: 4, and nothing is sent', async (words, made, hint) => {
    const { world, requests } = await connected();
    const { exitCode, stderr } = await world.run(words);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      `Error: @last: no ${made} of this account (the key in MAILER_API_KEY) is recorded on this machine\nHint: Give the id. To find it: ${hint}`,
    );
    expect(requests()).toEqual([]);
  });

  test('the error names the account', async () => {
    const profile = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'us_key_1234567890' };
    const world = await worldWith({ work: profile }, 'work');
    const said = async (words: string) => (await world.run(words)).stderr;
    expect(await said('email get @last')).toContain('(profile work) is recorded');
    expect(await said('email get @last --sandbox')).toContain('(the sandbox) is recorded');
  });

  test('of another profile, another service, a key of the environment, or the sandbox', async () => {
    const service = await startRecorder({ body: { emailId: 'email_1' } });
    const other = await startRecorder();
    const { baseUrl } = service;
    const profile = { baseUrl, apiKey: 'us_key_1234567890' };
    const world = await worldWith({ work: profile, home: profile }, 'work');
    await idOf(world, send);
    const env = { MAILER_API_KEY: 'us_other_1234567890' };
    const elsewhere = { ...env, MAILER_BASE_URL: other.baseUrl };
    for (const [words, options] of [
      ['email cancel @last --profile home', {}],
      ['email cancel @last --sandbox', {}],
      ['email cancel @last', { env }],
      ['email cancel @last', { env: elsewhere }],
    ] as const) {
      expect(await world.run(words, options)).toMatchObject({ exitCode: 4, stdout: '' });
    }
    expect(service.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  test('nor of another sandbox', async () => {
    const world = createWorld();
    await idOf(world, `${send} --sandbox`);
    const env = { MAILER_SANDBOX_DIR: join(world.home, 'other') };
    expect((await world.run('email get @last --sandbox', { env })).exitCode).toBe(4);
  });

  test('after a dry run', async () => {
    const { world } = await connected();
    await idOf(world, `${send} --dry-run`);
    expect((await world.run('email get @last')).exitCode).toBe(4);
  });
});

describe('the file', () => {
  test('is private, in a private directory, and only the id is in it', async () => {
    const { world } = await connected(
      { body: { emailId: 'email_1' } },
      { body: { emailId: 'email_2' } },
    );
    mkdirSync(directoryOf(world), { recursive: true, mode: 0o755 });
    await idOf(world, send);
    await idOf(world, send);
    const directory = directoryOf(world);
    const [name = '', ...others] = readdirSync(directory);
    expect(others).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, name)).size).toBe('email_2'.length);
  });

  test('that others could write is not read', async () => {
    const { world, requests } = await connected({ body: { emailId: 'email_1' } });
    await idOf(world, send);
    const [name = ''] = readdirSync(directoryOf(world));
    chmodSync(join(directoryOf(world), name), 0o666);
    expect((await world.run('email cancel @last')).exitCode).toBe(4);
    expect(requests()).toHaveLength(1);
  });

  test('that cannot be written fails no send, and no older email is used as the last', async () => {
    const { world } = await connected({ body: { emailId: 'email_1' } });
    fileIn(world, '.local/state/mailer/last', 'in the way');
    expect(await world.run(send)).toMatchObject({ exitCode: 0, stdout: 'email_1\n' });
    expect((await world.run(send)).stderr).not.toContain('Warning');
    expect((await world.run('email get @last')).exitCode).toBe(4);
  });

  test('that can be neither written nor removed is reported', async () => {
    const { world } = await connected(
      { body: { emailId: 'email_1' } },
      { body: { emailId: 'email_2' } },
    );
    await idOf(world, send);
    const [name = ''] = readdirSync(directoryOf(world));
    const path = join(directoryOf(world), name);
    // Not even root can replace a directory that is not empty.
    rmSync(path);
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const outcome = await world.run(send);
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'email_2\n' });
    expect(outcome.stderr).toContain(
      `Warning: @last still stands for an earlier email, because ${path} cannot be written. Use email_2\n`,
    );
  });
});

test('TAB offers it once its beginning is typed', async () => {
  const world = createWorld();
  const offered = { '@last': 'the last one from this machine' };
  expect(await complete(world, 'email --sandbox get @')).toMatchObject(offered);
  expect(await complete(world, 'campaign --sandbox delete @l')).toMatchObject(offered);
  expect(await complete(world, 'email --sandbox get ')).not.toHaveProperty('@last');
  expect(await complete(world, 'domain --sandbox get @')).not.toHaveProperty('@last');
});
