import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups, manifest } from '../src/commands/manifest.ts';
import { down, impatient, line, runs, setUp } from './support/batch-run.ts';
import { accept } from './support/batch-service.ts';
import { complete, valuesOf } from './support/complete.ts';
import { peopleCsv } from './support/people.ts';
import { createWorld } from './support/run.ts';
import { worldWith } from './support/stored-profiles.ts';

const values = (typed: string | readonly string[]) => valuesOf(createWorld(), typed);

describe('commands', () => {
  test('and groups, in the order of help, each with its summary', async () => {
    const completed = await complete(createWorld(), '');
    const first = [...new Set(manifest.map(({ words }) => words[0] ?? ''))];
    expect(Object.keys(completed)).toEqual(first);
    expect(completed).toMatchObject({
      email: groups.email?.summary,
      login: 'store a base URL and a key',
    });
  });

  test('and the page about flags, after help', async () => {
    const commands = await values('');
    expect(await values('help ')).toEqual([...commands, 'flags']);
    expect(await values('help email ')).not.toContain('flags');
  });

  test.each([
    ['domain ', ['add', 'list', 'get', 'records', 'check', 'verify', 'delete']],
    ['contact ', ['list', 'get', 'add', 'import', 'update', 'delete', 'sync', 'export', 'book']],
    ['contact book ', ['list', 'get', 'create', 'update', 'delete']],
    // Common flags may stand anywhere, with their values.
    ['--json --profile email reputation ', ['status', 'history', 'bounces', 'events']],
    [
      'email --base-url=https://a.example/api -q campaign',
      ['send', 'batch', 'get', 'list', 'watch', 'export', 'reschedule', 'cancel', 'check'],
    ],
    ['help reputation ', ['status', 'history', 'bounces', 'events']],
    ['reputation help ', ['status', 'history', 'bounces', 'events']],
    ['--json help reputation ', ['status', 'history', 'bounces', 'events']],
    ['help contact book delete ', []],
    ['emial ', []],
    ['email sned ', []],
    ['email list ', []],
  ])('after "%s"', async (typed, expected) => {
    expect(await values(typed)).toEqual(expected);
  });
});

test('runs, newest first, each with its progress', async () => {
  const { run, world, file } = await setUp(150, accept, down, accept);
  await run(impatient);
  const [first = ''] = runs(world);
  world.clock.advance(60_000);
  file('others.csv', peopleCsv(2).replaceAll('@example.org', '@example.net'));
  await run(line.with(2, 'others.csv'));
  const second = runs(world).find((name) => name !== first) ?? '';
  const ended = `complete, 2 of 2 accepted, ${join(world.home, 'others.csv')}`;
  const incomplete = `incomplete, 100 of 150 accepted, ${join(world.home, 'people.csv')}`;
  for (const command of ['get', 'delete']) {
    expect(Object.entries(await complete(world, `run ${command} `))).toEqual([
      [second.slice(0, 8), ended],
      [first.slice(0, 8), incomplete],
    ]);
  }
  // Only what can be resumed.
  expect(await complete(world, 'run resume ')).toEqual({ [first.slice(0, 8)]: incomplete });
  expect(await complete(world, 'run get --sandbox ')).toEqual({});
  expect(await complete(world, 'run resume @')).toMatchObject({ '@last': 'the newest one' });
});

describe('flags', () => {
  test('of a command, its own first, each with its line of help', async () => {
    const completed = await complete(createWorld(), 'email get -');
    expect(Object.keys(completed).slice(0, 5)).toEqual([
      ...['--wait', '--wait-timeout', '--heartbeat', '--open', '--json'],
    ]);
    expect(completed).toMatchObject({
      '--wait': '[=status] wait for DELIVERED, or OPENED, CLICKED, BOUNCED …',
      '--open': 'also show it in the browser',
      '--help': 'show help',
    });
  });

  test('that have become commands are not offered', async () => {
    expect(await values('email batch --')).not.toContain('--status');
    expect(await values('email batch --')).not.toContain('--forget');
  });

  test('of lists and of commands that write', async () => {
    expect(await values('email list --')).toContain('--jsonl');
    expect(await values('email list --')).not.toContain('--dry-run');
    expect(await values('email send --')).toContain('--dry-run');
    expect(await values('email send --')).not.toContain('--csv');
  });

  test('of every command, before a command', async () => {
    expect(await values('--')).toEqual(expect.arrayContaining(['--sandbox', '--csv', '--version']));
    expect(await values('email --')).toContain('--sandbox');
    expect(await values('emial --')).toEqual([]);
  });

  test.each([
    ['email list --limit 5 --', '--limit'],
    ['email list --limit=5 --', '--limit'],
    ['--json email list --', '--json'],
    ['email list -q --', '--quiet'],
    ['email batch -yq --', '--quiet'],
    ['email get --wait id --', '--wait'],
  ])('not twice after "%s"', async (typed, flag) => {
    expect(await values(typed)).not.toContain(flag);
    expect(await values(typed)).toContain('--profile');
  });

  test('again if they repeat', async () => {
    expect(await values('email send --to a@example.com --')).toContain('--to');
  });

  test('nowhere after --, nor for a value', async () => {
    expect(await values('email list -- --')).toEqual([]);
    expect(await values('email list --limit --')).toEqual([]);
  });
});

describe('values', () => {
  const waits = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED'];
  const settings = [
    'from',
    'reply-to',
    'timezone',
    'output',
    'timeout',
    'retries',
    'local-mail-to',
    'log',
  ];

  test.each([
    ['campaign list --status ', ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT']],
    [
      'campaign list --status=',
      ['DRAFT', 'SCHEDULED', 'RUNNING', 'PAUSED', 'SENT'].map((word) => `--status=${word}`),
    ],
    [
      'domain records example.com --format ',
      ['table', 'zone', 'terraform', 'cloudflare', 'route53', 'json'],
    ],
    ['email get id --wait=', expect.arrayContaining(waits.map((word) => `--wait=${word}`))],
    ['email send --wait=', expect.arrayContaining(waits.map((word) => `--wait=${word}`))],
    ['config get ', settings],
    ['config set ', settings],
    ['config unset ', settings],
    ['config set from ', []],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['email list --timezone ', expect.arrayContaining(['UTC', 'Europe/Berlin'])],
    // A value that looks like a flag, and values without candidates.
    ['email send --subject --status ', []],
    ['email send --from ', []],
    ['email send --json=', []],
  ])('of "%s"', async (typed, expected) => {
    expect(await values(typed)).toEqual(expected);
  });

  test.each([
    'email send --file ',
    'email send --text-file ',
    'email send --html-file=a',
    'email send --vars-file ',
    'email send --attach a.pdf --attach ',
    'email batch ',
    'email batch em',
    'email batch -- -em',
    'campaign create --content-file ',
    'contact update --properties-file ',
  ])('that are files: "%s"', async (typed) => {
    expect(await complete(createWorld(), typed)).toBe('files');
  });

  test('that are profiles, and their URLs', async () => {
    const work = { baseUrl: 'https://work.example/api', apiKey: 'us_key_1234567890' };
    const world = await worldWith({ default: {}, work }, 'work');
    const profiles = { default: '', work: 'https://work.example/api' };
    for (const typed of [
      ...['profile use ', 'profile delete ', 'profile rename ', 'email list --profile '],
    ]) {
      expect(await complete(world, typed)).toEqual(profiles);
    }
    expect(await complete(world, 'profile rename work ')).toEqual({});
    expect(await complete(world, 'login --base-url ')).toEqual({
      'https://work.example/api': 'profile work',
    });
  });
});

describe('on the sandbox', () => {
  test('domains, by name; their ids to those who type one', async () => {
    const world = createWorld();
    expect(await complete(world, 'domain get --sandbox ')).toEqual({
      'example.com': 'SUCCESS',
      'example.org': 'PENDING',
      'example.net': 'NOT_STARTED',
    });
    expect(await valuesOf(world, 'domain get --sandbox 1')).toContain('1');
    expect(await valuesOf(world, '--sandbox email list --domain ')).toContain('example.com');
    expect(await valuesOf(world, '--sandbox email list --domain=')).toContain(
      '--domain=example.com',
    );
  });

  test('emails, with recipient and subject; to change one, only scheduled ones', async () => {
    const world = createWorld();
    expect(await complete(world, 'email get --sandbox ')).toMatchObject({
      email_receipt: 'Your receipt; delivered+ana@example.com; DELIVERED',
    });
    const words = '--from a@example.com --to b@example.org --subject Later --text x';
    const sent = await world.run([
      'email',
      'send',
      '--sandbox',
      ...words.split(' '),
      '--scheduled-at',
      'tomorrow 9am',
      '-q',
    ]);
    const id = sent.stdout.trim();
    for (const typed of ['email cancel --sandbox ', 'email reschedule --sandbox ']) {
      expect(await complete(world, typed)).toEqual({ [id]: 'Later; b@example.org; SCHEDULED' });
    }
    expect(await valuesOf(world, 'email send --sandbox --in-reply-to ')).toContain(id);
  });

  test('nothing is created for a line that needs no sandbox', async () => {
    const world = createWorld();
    await complete(world, 'email get --sandbox --');
    await complete(world, 'domain ');
    await complete(world, 'domain get --sandbox --profile work ');
    await complete(world, 'domain get ');
    expect(readdirSync(world.home)).toEqual([]);
  });
});

test.each([
  [[]],
  [['tcsh', '']],
  [['fish']],
  [['zsh']],
  [['bash']],
  [['powershell']],
  [['powershell', '%']],
  [['fish', 'domain', 'get', '--sandbox', '--base-url', 'https://a.example', '']],
  [['fish', 'domain', 'get', '--profile', 'nobody', '']],
])('prints nothing for an invalid request: %j', async (words) => {
  const { exitCode, stderr } = await createWorld().run(['__complete', ...words]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('nothing is found if the data of the sandbox cannot be opened', async () => {
  const world = createWorld({ MAILER_SANDBOX_DIR: join('/dev/null', 'x') });
  expect(await complete(world, 'domain get --sandbox ')).toEqual({});
});

describe('what the contract says', () => {
  test('the fields of a result, one after the other; of what the flags print', async () => {
    expect(await values('domain list --fields ')).toEqual(
      expect.arrayContaining(['id', 'name', 'status', 'dnsRecords']),
    );
    expect(await values('domain list --fields name,sta')).toEqual(
      expect.arrayContaining(['name,status']),
    );
    expect(await values('domain list --fields=name,')).not.toContain('--fields=name,name');
    expect(await values('email send --fields ')).toEqual(['emailId']);
    expect(await values('email send --preview --fields ')).toContain('subject');
  });

  test('the paths of api, for the method that is given, else for GET', async () => {
    expect(await values('api ')).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(await complete(createWorld(), 'api delete /v1/')).toEqual({
      '/v1/campaigns/{campaignId}': 'campaign delete',
      '/v1/contactBooks/{contactBookId}': 'contactBook delete',
      '/v1/contactBooks/{contactBookId}/contacts/{contactId}': 'contact delete',
      '/v1/domains/{id}': 'domain delete',
      '/v1/segments/{segmentId}': 'segment delete',
    });
    expect(await values('api /v1/')).toContain('/v1/templates');
    expect(await values('api /v1/')).not.toContain('/v1/emails/batch');
  });
});
