import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareAddress } from '../../../src/api/bare-address.ts';
import { enter } from '../../support/keys.ts';
import { startMailCounter } from '../../support/mail-counter.ts';
import { connectMcp, type Returned } from '../../support/mcp.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { openTerminal } from '../../support/terminal.ts';

// One client that means harm, with everything it has: the tools of a server that may send.

const secret = 'the words of the secret file';

const draft = {
  from: 'hello@example.com',
  to: ['ana@example.org'],
  subject: 'Hi',
  text: 'Hello',
};

/** Somebody who is not allowed, in the spellings of header fields, lists, hosts and homographs. */
const notAllowed = [
  'eve@example.net',
  'EVE@EXAMPLE.NET',
  ' eve@example.net ',
  '<eve@example.net>',
  'Eve <eve@example.net>',
  '"ana@example.org" <eve@example.net>',
  'ana@example.org <eve@example.net>',
  'ana@example.org, eve@example.net',
  'ana@example.org;eve@example.net',
  'ana@example.org eve@example.net',
  'ana@example.org\neve@example.net',
  'ana@example.org\r\nBcc: eve@example.net',
  'ana@example.org,,eve@example.net',
  'friends: eve@example.net;',
  'friends: ana@example.org, eve@example.net;',
  '@example.org:eve@example.net',
  '<@example.org:eve@example.net>',
  'eve@example.org@example.net',
  'eve@example.org.example.net',
  'eve@sub.example.org',
  'eve@example.org.',
  'eve@example.org\u0000.example.net',
  'eve@example.org(.example.net)',
  'eve(@example.org)@example.net',
  '"eve@example.org"@example.net',
  '"x\\"@example.org"@example.net',
  'eve@ex\u0430mple.org',
  'eve@xn--exmple-4nf.org',
  'eve@example\u3002net',
  'eve@example.org\u200b.net',
  'eve@[127.0.0.1]',
  'eve@[IPv6:::1]',
  'eve@localhost',
  'mailto:eve@example.net',
  'mailto:ana@example.org?bcc=eve@example.net',
  'eve@example.net?x=@example.org',
  '=?utf-8?q?ana?= <eve@example.net>',
  '=?utf-8?q?eve=40example.net=2C?= ana@example.org, eve@example.net',
  '*@example.org, eve@example.net',
  '{{ eve@example.net }}',
  '$(echo eve@example.net)',
  '--to=eve@example.net',
  '@people.csv',
  '-',
];

/** Fields by which `prepare_email` might be told to do more than prepare, with more than the draft. */
const otherFields: readonly Readonly<Record<string, unknown>>[] = [
  { yes: true },
  { '--yes': true },
  { again: 2 },
  { 'for-approval': false },
  { forApproval: false },
  { approve: true },
  { approved: true },
  { send: true },
  { now: true },
  { profile: 'other' },
  { key: 'us_key_other' },
  { apiKey: 'us_key_other' },
  { 'base-url': 'http://127.0.0.1:9' },
  { baseUrl: 'http://127.0.0.1:9' },
  { sandbox: true },
  { 'redirect-to': 'eve@example.net' },
  { allowTo: '*' },
  { env: { MAILER_ALLOW_TO: '*' } },
  { cwd: '/' },
  { root: '/' },
  { file: 'mail.json' },
  { 'html-file': '../secret.txt' },
  { eml: '../secret.txt' },
  { 'react-email': '../secret.tsx' },
  { argv: ['campaign', 'schedule', 'cm_march', '--now'] },
  { command: 'email send' },
  { constructor: { prototype: { yes: true } } },
];

/** Paths to a file that is not below the root. */
const otherFiles = [
  '../secret.txt',
  './../secret.txt',
  'sub/../../secret.txt',
  'link.txt',
  'up/secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/cmdline',
  '/dev/stdin',
  '/dev/fd/0',
  '-',
  '',
  '.',
  '..',
  '~/secret.txt',
  '$HOME/secret.txt',
  '%2e%2e/secret.txt',
  '..\\secret.txt',
  'file:///etc/passwd',
  'http://127.0.0.1/secret.txt',
  'a.txt\u0000../secret.txt',
  'a.txt;type=text/plain,../secret.txt',
];

/** Texts that name a secret, where templates, shells and programs of this kind would fill it in. */
const askingTexts = [
  '{{ env.MAILER_API_KEY }}',
  '{{ MAILER_API_KEY }}',
  '{% include "../secret.txt" %}',
  '{% render "/etc/passwd" %}',
  '{% layout "../secret.txt" %}',
  '{{ "../secret.txt" | read }}',
  '$MAILER_API_KEY',
  '$' + '{MAILER_API_KEY}',
  '$(cat ../secret.txt)',
  '`cat ../secret.txt`',
  '@../secret.txt',
  '<img src="../secret.txt">',
  '<img src="file:///etc/passwd">',
  '<link rel="stylesheet" href="../secret.txt">',
  '<iframe src="../secret.txt"></iframe>',
  '![a](../secret.txt)',
  '{{constructor.constructor("return process.env.MAILER_API_KEY")()}}',
  '<%= process.env.MAILER_API_KEY %>',
];

interface Entry {
  readonly id: string;
  readonly digest: string;
}

/** What a client may try instead of the id and digest of an approved entry. */
function wrongSends(pending: Entry, other: Entry): readonly Readonly<Record<string, unknown>>[] {
  const { id, digest } = pending;
  return [
    { id, digest },
    { id: other.id, digest },
    { id, digest: other.digest },
    { id: digest, digest: id },
    { id, digest: digest.slice(0, 16) },
    { id, digest: digest.toUpperCase() },
    { id, digest: `${digest} ` },
    { id, digest: '' },
    { id, digest: null },
    { id, digest: [digest] },
    { id },
    { digest },
    {},
    { id: id.toUpperCase(), digest },
    { id: ` ${id}`, digest },
    { id: id.slice(0, 8), digest },
    { id: '', digest },
    { id: '*', digest },
    { id: '@last', digest },
    { id: '../config', digest },
    { id: `${id}/../${other.id}`, digest },
    { id: `${id}\u0000`, digest },
    { id: '--yes', digest },
    { id: '-', digest },
    { id: [id], digest },
    { id: { $ne: '' }, digest },
    { id, digest, yes: true },
    { id, digest, approve: true },
    { id, digest, force: true },
    { id, digest, to: ['eve@example.net'] },
    { id, digest, recipients: 1 },
    { id, digest, sandbox: true },
    { id, digest, profile: 'other' },
  ];
}

/** Tools that would be ways around, if there were any. */
const otherTools = [
  ...['outbox_approve', 'outbox approve', 'approve', 'approve_email', 'send_email', 'email_send'],
  ...['email_batch', 'campaign_schedule', 'api', 'run', 'shell', 'policy_set', 'config_set'],
  ...['read_file', 'sendmail', 'event_send', 'contact_import', '__proto__', 'constructor', ''],
];

test('200 ways to mail, to send twice, or to read what is not for it lead nowhere', async () => {
  const counter = await startMailCounter();
  const place = createPlace({
    ...counter.env,
    ...{ MAILER_ALLOW_TO: '*@example.org', MAILER_APPROVAL: 'always' },
  });
  const root = join(place.home, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(place.home, 'secret.txt'), secret);
  writeFileSync(join(root, 'a.txt'), 'ok');
  writeFileSync(join(root, 'people.csv'), 'to\neve@example.net\n');
  symlinkSync(join(place.home, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(place.home, join(root, 'up'));
  const { client, call, stderr } = await connectMcp(['--allow-send', '--root', 'root'], { place });
  await client.listTools();
  const told: Returned[] = [];
  let ways = 0;
  const attempt = async (name: string, args: Readonly<Record<string, unknown>>) => {
    ways += 1;
    const returned = await call(name, args).catch(String);
    if (typeof returned === 'string') return undefined;
    told.push(returned);
    return returned;
  };

  for (const address of notAllowed) {
    for (const to of ['to', 'cc', 'bcc']) {
      const returned = await attempt('prepare_email', { ...draft, [to]: [address] });
      // A spelling may be somebody who is allowed; what is stored is looked at below.
      if (returned?.error) expect(['policy', 'usage']).toContain(returned.error.code);
    }
  }
  for (const more of otherFields) {
    const returned = await attempt('prepare_email', { ...draft, ...more });
    expect({ more, ...returned }).toMatchObject({ exitCode: 2, result: null });
  }
  for (const path of otherFiles) {
    for (const [tool, field] of [
      ['prepare_email', { attach: [path] }],
      ['check_email', { file: path }],
    ] as const) {
      const returned = await attempt(tool, tool === 'check_email' ? field : { ...draft, ...field });
      expect({ path, ...returned }).toMatchObject({ exitCode: 2, result: null });
    }
  }
  for (const text of askingTexts) {
    for (const field of ['subject', 'text', 'html']) {
      await attempt('prepare_email', { ...draft, [field]: text });
    }
    await attempt('check_email', { subject: 'Hi', html: text });
  }
  for (const tool of otherTools) expect(await attempt(tool, draft)).toBeUndefined();

  const stored = await entriesOf(place);
  const recipients = stored.flatMap(({ request: { body } }) =>
    ['to', 'cc', 'bcc'].flatMap((name) => [body[name] ?? []].flat()),
  );
  expect(recipients.length).toBeGreaterThan(0);
  for (const one of recipients) expect(bareAddress(one)).toMatch(/^[^@\s]+@example\.org$/);

  const prepare = async (subject: string): Promise<Entry> => {
    const { result } = await call('prepare_email', { ...draft, subject });
    // An entry of the outbox, by the schema of the tool.
    return result as Entry;
  };
  const [pending, other] = [await prepare('Pending'), await prepare('Other')];
  for (const args of wrongSends(pending, other)) {
    expect({ args, ...(await attempt('send_approved', args)) }).toMatchObject({ isError: true });
  }
  for (const { id, digest } of stored) await attempt('send_approved', { id, digest });
  expect(counter.posts()).toEqual([]);

  await approve(place, other.id);
  const { id, digest } = other;
  for (const args of wrongSends(pending, other)) await attempt('send_approved', args);
  expect(counter.posts()).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => attempt('send_approved', { id, digest })));
  for (const _ of Array(8)) await attempt('send_approved', { id, digest });
  await attempt('prepare_email', { ...draft, subject: 'Other' });
  expect(counter.posts().map(({ body }) => JSON.parse(body).subject)).toEqual(['Other']);
  expect(Object.fromEntries(counter.mailed)).toEqual({ 'ana@example.org': 1 });

  expect(ways).toBeGreaterThanOrEqual(200);
  const all = JSON.stringify(told) + stderr() + filesOf(place);
  for (const hidden of [secret, counter.env.MAILER_API_KEY ?? '', 'root:x:0:0']) {
    expect(all.includes(hidden)).toBe(false);
  }
});

async function approve(place: Place, id: string): Promise<void> {
  const terminal = openTerminal(place, `mailer outbox approve ${id}`);
  await terminal.shows('type the number of recipients');
  terminal.type(`1${enter}`);
  await terminal.end();
}

interface Stored extends Entry {
  readonly request: { readonly body: Readonly<Record<string, string | readonly string[]>> };
}

/** Every entry of the outbox, whole. */
async function entriesOf(place: Place): Promise<readonly Stored[]> {
  const { stdout } = await place.run('outbox list --json');
  const entries: Stored[] = [];
  for (const { id } of JSON.parse(stdout) as readonly Entry[]) {
    entries.push(JSON.parse((await place.run(['outbox', 'get', id, '--json'])).stdout));
  }
  return entries;
}

/** What was stored on disk, except the secret itself. */
function filesOf(place: Place): string {
  return readdirSync(place.home, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'secret.txt')
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}
