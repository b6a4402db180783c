import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../../../src/commands/manifest.ts';
import { withPackages } from '../../support/packages.ts';
import { createPlace, isExecutable, type Place, root, split } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { startCatcher } from '../../support/smtp.ts';
import { enter, openTerminal } from '../../support/terminal.ts';

/** The code that the build generates for `import()`, up to what is loaded. */
const lateImport = /Promise\.resolve\(\)(?=\.then\(\(\) => [^\n]*?require\("([^"]+)"\))/g;

const built = mkdtempSync(join(tmpdir(), 'mailer-late-paths-'));
/** What the lines run instead of the program; the executable is run unmodified. */
const ofIt = isExecutable ? {} : { file: join(built, 'bin', 'mailer.js') };
const log = join(built, 'log');
/**
 * Runs lines one after the other in one process, each as `bin/mailer.js` does, because a process for each
 * would take most of the time. Writes their exit codes.
 */
const driver = join(built, 'driver.cjs');
const driverScript = `
const { writeFileSync } = require('node:fs');
process.setMaxListeners(0);
// What completes a line ends its process itself, see src/cli/process.ts.
process.kill = () => true;
const { runHere } = require('./dist/process.cjs');
(async () => {
  const codes = [];
  for (const words of JSON.parse(process.env.LINES)) {
    await runHere(words);
    codes.push(process.exitCode);
  }
  writeFileSync(process.env.CODES, JSON.stringify(codes));
})();
`;
/** The late imports: importing file, imported file, and a number, as there may be several of the same. */
const imports: string[] = [];

// The built program, in which each late import records that it was reached.
beforeAll(() => {
  if (isExecutable) return;
  const dist = join(built, 'dist');
  for (const name of ['bin', 'dist']) {
    cpSync(join(root, name), join(built, name), { recursive: true });
  }
  writeFileSync(log, '');
  writeFileSync(driver, driverScript);
  for (const name of readdirSync(dist).filter((one) => one.endsWith('.cjs'))) {
    const times = new Map<string, number>();
    const text = readFileSync(join(dist, name), 'utf8').replaceAll(lateImport, (found, of) => {
      times.set(of, (times.get(of) ?? 0) + 1);
      const one = `${name} → ${of} ${times.get(of)}`;
      imports.push(one);
      const write = `${JSON.stringify(log)}, ${JSON.stringify(`${one}\n`)}`;
      return `(require("node:fs").appendFileSync(${write}), ${found})`;
    });
    writeFileSync(join(dist, name), text);
  }
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

const from = ['--from', 'hello@example.com'];
const to = [...from, '--to', 'ana@example.org'];
const content = ['--subject', 'Hi', '--text', 'Hello'];

const html = '<a href="{{unsend_unsubscribe_url}}">x</a>';

/** A running campaign. */
const campaign: readonly Line[] = [
  [
    ...['campaign', 'create', '--name', 'News', '--subject', 'Hi', '--book', 'book_customers'],
    ...[...from, '--html', html, '--sandbox', '--check'],
  ],
  'campaign schedule News --now --sandbox --yes',
];

/** Runs lines in a place, and expects one of these exit codes from each. */
async function runAll(place: Place, lines: readonly Line[], codes: readonly number[] = [0]) {
  const { ended, shown } = await (isExecutable ? runEach : runInOne)(place, lines);
  const wrong = lines.filter((_, index) => !codes.includes(ended[index] ?? -1));
  if (wrong.length === 0) return;
  throw new Error(`Unexpected code: ${JSON.stringify(wrong)}, ${ended}:\n${shown}`);
}

async function runInOne(place: Place, lines: readonly Line[]) {
  const codes = join(place.home, 'codes');
  const env = { LINES: JSON.stringify(lines.map(split)), CODES: codes };
  const { stdout, stderr } = await place.run([], { file: driver, env });
  // Written by the driver.
  const ended = existsSync(codes) ? (JSON.parse(readFileSync(codes, 'utf8')) as number[]) : [];
  return { ended, shown: stdout + stderr };
}

async function runEach(place: Place, lines: readonly Line[]) {
  const outcomes = [];
  for (const line of lines) outcomes.push(await place.run(line));
  return {
    ended: outcomes.map(({ exitCode }) => exitCode),
    shown: outcomes.map(({ stdout, stderr }) => stdout + stderr).join(''),
  };
}

type Line = string | readonly string[];

test('help', { timeout: 240_000 }, async () => {
  const place = createPlace();
  await runAll(
    place,
    manifest.map(({ words }) => `${words.join(' ')} --help`),
  );
});

test('the sandbox within the command', { timeout: 240_000 }, async () => {
  const place = createPlace();
  const { home } = place;
  writeFileSync(join(home, 'p.csv'), 'to,name\na@example.org,Ana\n');
  writeFileSync(join(home, 'list.txt'), 'a@example.org\n');
  writeFileSync(join(home, 'c.csv'), 'email,name\na@example.org,Ana\n');
  writeFileSync(join(home, 'p.json'), '[{"to":"a@example.org"}]');
  writeFileSync(join(home, 'p.jsonl'), '{"to":"a@example.org"}\n');
  writeFileSync(join(home, 'mail.json'), '{"subject":"Hi","text":"Hello"}');
  writeFileSync(join(home, 'a.eml'), 'From: hello@example.com\nTo: a@example.org\n\nHello\n');
  writeFileSync(join(home, '.mailer.json'), '{"check":{"ignore":["contrast"]}}');
  writeFileSync(join(home, 'letter.eml'), 'From: a@b.example\nSubject: Hi\n\nHello\n');
  writeFileSync(join(home, 'hello.md'), 'Hello {{ name }}');
  writeFileSync(join(home, 'p.gz'), gzipSync('to,name\na@example.org,Ana\n'));
  const batch = (name: string) => ['email', 'batch', name, '--sandbox', ...from, ...content];
  await runAll(place, [
    ['email', 'send', '--sandbox', ...to, ...content, '--wait', '--debug'],
    ['email', 'send', '--sandbox', ...to, ...content, '--scheduled-at', 'in 2 hours'],
    [...batch('p.csv'), '--yes', '--wait', '--results', 'r.csv'],
    [...batch('p.gz'), '--yes', '--jsonl'],
    [...batch('p.json'), '--preview', '1', '--check'],
    ['email', 'check', '--subject', 'Hi', '--text', 'Hello', '--ignore', 'contrast'],
    ['email', 'send', '--sandbox', ...to, ...content, '--check'],
    ['email', 'send', '--sandbox', ...to, ...content, '--check', '--preview'],
    [...batch('p.json'), '--check', '--yes'],
    ['email', 'check', 'letter.eml', '--fail-on', 'never', '--links'],
    'email check --subject Hi --markdown-file hello.md --var name=Ana --fail-on never',
    'run list --sandbox',
    ['__complete', 'fish', 'run', 'get', '--sandbox', ''],
    'email list --sandbox --since yesterday --csv',
    'domain get example.com --sandbox',
    ...['zone', 'terraform', 'cloudflare', 'route53', 'json'].map(
      (format) => `domain records example.com --sandbox --format ${format}`,
    ),
    'doctor --sandbox',
    'api GET /v1/domains --sandbox',
    'api GET /v1/domains --sandbox -i',
    'campaign list --sandbox',
    'reputation events --sandbox --since 2020-01-01',
    'contact import c.csv --book book_customers --sandbox --yes --fields run',
    'contact sync c.csv --book book_customers --sandbox --yes --fields email',
    'contact update contact_ana --book book_customers --first-name Ána --sandbox',
    'contact export --book Customers --emails-from list.txt --fields email --output out.csv --sandbox',
    'contact add --book book_customers --email eva@example.org --sandbox',
    'contact list --book book_customers --email ana@example.org --sandbox --fields id',
    'contact book list --sandbox --fields id',
    'config set timezone Europe/Berlin',
    'config list',
    'segment list --sandbox --fields id',
    'event send signed_up --contact contact_ana --sandbox',
    'template list --sandbox --fields id',
    'template pull templates --sandbox --fields file',
    'template push templates --sandbox --fields file',
    'sandbox export seeds.json',
    'sandbox seed seeds.json --empty',
    'sandbox advance 1h',
    'sandbox status',
    'sandbox logs',

    'sandbox reset --yes',
    ...['bash', 'zsh', 'fish', 'powershell'].map((shell) => `__complete ${shell} email se`),
    '__complete fish domain get --sandbox e',
    ['email', 'send', '--sandbox', ...to, '--subject', '\u65e5\u672c', '--text', 'Hello'],
    ...campaign,
    'campaign watch News --sandbox',
    'campaign test News --to ana@example.org --sandbox',
    'domain records example.com --sandbox',
    ['__complete', 'zsh', '80', 'email', 'get', '--sandbox', ''],
    ['email', 'send', '--sandbox', ...to, '--file', 'mail.json'],
    'email send --sandbox --eml a.eml --subject Hi',
    [...batch('p.jsonl'), '--preview', '1'],
    'api GET /v1/doc --sandbox',
    [
      ...['api', 'POST', '/v1/campaigns', '-f', 'name=N', '-f', `from=${from[1]}`],
      ...['-f', 'subject=S', '-f', 'contactBookId=book_customers', '-f', `html=${html}`],
      ...['-f', 'scheduledAt=tomorrow', '--sandbox'],
    ],
  ]);
});

test('sendmail without a message', async () => {
  await runAll(createPlace(), ['sendmail --sandbox a@example.org'], [65]);
});

test('a user without a home directory', async () => {
  const line = 'config set from a@b.example';
  const { exitCode } = await createPlace().run(line, { ...ofIt, env: { HOME: undefined } });
  expect(exitCode).toBe(0);
});

test('fields, filters and ids of the last', async () => {
  const place = createPlace();
  writeFileSync(join(place.home, 'p.json'), '[{"to":"a@example.org"}]');
  const batch = ['email', 'batch', 'p.json', '--sandbox', ...from, ...content, '--yes'];
  await runAll(place, [
    ['email', 'send', '--sandbox', ...to, ...content],
    ['email', 'send', '--sandbox', ...to, ...content, '--preview'],
    'email get @last --sandbox --jq .id',
    'email list --sandbox --fields id',
    'campaign list --sandbox --fields id',
    'domain list --sandbox --fields id',
    'domain records example.com --sandbox --fields type',
    'reputation events --sandbox --fields toState',
    'whoami --sandbox --fields key',
    'whoami --features --sandbox --fields feature',
    'stats --sandbox --fields sent',
    'stats --sandbox --total --fields delivered',
    'reputation history --sandbox --fields date',
    'sandbox path --fields path',
    'sandbox status --fields url',
    'domain check example.com --sandbox --fields status',
    'completion fish --fields shell',
    'doctor --sandbox --fields check',
    [...batch, '--fields', 'id'],
    [...batch, '--dry-run', '--fields', 'id'],
    'run list --sandbox --fields run',
    '__complete fish email list --fields s',
    '__complete fish api GET /',
  ]);
  const { stdout } = await place.run('run list --sandbox --quiet', ofIt);
  writeFileSync(join(place.home, 'c.csv'), 'email\neva@example.org\n');
  const imported = await place.run(
    'contact import c.csv --book book_customers --sandbox --yes --quiet --fields run',
    ofIt,
  );
  await runAll(
    place,
    [
      `run resume ${stdout.trim()} --sandbox`,
      `run resume ${imported.stdout.trim()} --sandbox`,
      ['email', 'batch', 'p.json', '--status', '--sandbox'],
      'email cancel @last --sandbox',
      ['email', 'reschedule', '@last', '--scheduled-at', 'tomorrow', '--sandbox'],
    ],
    [0, 1, 2],
  );
});

test('questions', async () => {
  const place = createPlace();
  const editor = join(place.home, 'editor');
  writeFileSync(editor, '#!/bin/sh\nprintf Hello > "$1"\n', { mode: 0o755 });
  const lines = [
    'mailer email send --sandbox',
    `mailer email send --sandbox --template Welcome --var name=Ana --text Hello ${to.join(' ')}`,
    'mailer contact delete --sandbox',
    `mailer campaign create --sandbox --name News --subject Hi --send-now`,
    'mailer run get --sandbox',
  ];
  writeFileSync(join(place.home, 'p.json'), '[{"to":"a@example.org"}]');
  await runAll(place, [['email', 'batch', 'p.json', '--sandbox', ...from, ...content, '--yes']]);
  const terminal = openTerminal(place, lines.join('\n'), { ...ofIt, env: { EDITOR: editor } });
  await terminal.shows('? To');
  terminal.type(`ana@example.org${enter}`);
  await terminal.shows('used recently');
  terminal.type(enter);
  await terminal.shows('? Subject');
  terminal.type(`Hi${enter}`);
  await terminal.shows('? Text');
  terminal.type(enter);
  await terminal.shows('? Send it?');
  terminal.type(`y${enter}`);
  await terminal.shows('? Contact book');
  terminal.type(enter);
  await terminal.shows('? Contact\n');
  terminal.type(enter);
  await terminal.shows(/\(y\/N\)/);
  terminal.type(`y${enter}`);
  await terminal.shows(/Deleted[^?]*\? From/);
  terminal.type(enter);
  await terminal.shows(/From [^?]*\? Contact book/);
  terminal.type(enter);
  await terminal.shows('? HTML');
  terminal.type(`${html}${enter}`);
  await terminal.shows('start it? (y/N)');
  terminal.type(`y${enter}`);
  await terminal.shows('? Run');
  terminal.type(enter);
  expect(await terminal.end()).toBe(0);
});

test('texts in Markdown', async () => {
  const place = createPlace();
  const body = ['--markdown-file', 'a.md', '--sandbox'];
  writeFileSync(join(place.home, 'a.md'), '---\nsubject: Hi\n---\nHello\n');
  writeFileSync(join(place.home, 'p.json'), '[{"to":"a@example.org"}]');
  await runAll(place, [
    ['email', 'send', ...to, ...body],
    ['email', 'batch', 'p.json', ...from, ...body, '--yes'],
    ['campaign', 'create', '--name', 'News', '--book', 'book_customers', ...from, ...body],
    ['email', 'check', 'a.md'],
  ]);
});

test('emails by packages of a project', async () => {
  const place = createPlace();
  withPackages(place);
  writeFileSync(join(place.home, 'a.jsx'), 'export default () => <p>Hi</p>;');
  const email = [...to, '--subject', 'Hi', '--react-email', 'a.jsx'];
  await runAll(place, [['email', 'send', ...email, '--preview', '--sandbox']]);
});

test('rules about recipients', async () => {
  const place = createPlace();
  const send = ['email', 'send', '--sandbox', ...to, ...content];
  await runAll(place, [
    ['policy', 'set', '--allow-to', '*@example.org', '--max-per-day', '5'],
    [...send, '--dry-run'],
    send,
    'policy show --sandbox',
    'policy check ana@example.org',
    'event send signed_up --contact eve@example.org --book book_customers --create --yes --sandbox',
    'policy unset max-per-day',
  ]);
});

test('failing lines', async () => {
  const place = createPlace();
  const { url } = await startRecorder();
  const plain = url.replace('http:', 'https:');
  const sent = ['email', 'send', ...to, '--text', 'Hello'];
  await runAll(
    place,
    [
      'emial list',
      'doctor',
      'run get 0bddde44 --sandbox',
      'run resume 0bddde44 --sandbox',
      'run delete 0bddde44 --sandbox --yes',
      'domain check example.com --sandbox --resolver 127.0.0.1:1',
      'domain verify example.com --sandbox --force --wait --wait-timeout 1s',
      'sandbox open',
      [...sent, '--template', 'tmpl_nope', '--sandbox', '--retries', '0'],
      'email send --sandbox --from a@example.org --to b@example.org --subject Hi --text Hello',
      'logout --profile nosuch',
    ],
    [1, 2, 3, 4, 7, 9, 10],
  );
  const env = {
    ...{ MAILER_BASE_URL: `${plain}/api`, MAILER_API_KEY: 'us_0123456789abcdef' },
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  await runAll(createPlace(env), ['domain list --retries 0', 'doctor'], [7]);
  const far = { ...env, MAILER_BASE_URL: 'https://mail.example.com/api', HTTPS_PROXY: url };
  await runAll(createPlace(far), ['domain list --retries 0'], [7]);
  const open = createPlace();
  await runAll(open, ['config set from a@b.example']);
  chmodSync(join(open.configDirectory, 'config.json'), 0o666);
  await runAll(open, ['domain list', [...sent, '--subject', 'Hi', '--sandbox']], [0, 2]);
  await runAll(createPlace(), [[...sent, '--subject', 'Hi', '--sandbox', '--expect', '0']], [2]);
});

test('a service that compresses, and a key command', async () => {
  const packed: Answer = (response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    response.writeHead(200, headers).end(gzipSync('[]'));
  };
  const { baseUrl } = await startRecorder(packed, packed, packed);
  const place = createPlace();
  const command = ['--key-command', 'echo us_0123456789abcdef'];
  await runAll(place, [['login', '--base-url', baseUrl, ...command], 'domain list']);
});

test('a service over HTTP', async () => {
  const place = createPlace({ BROWSER: 'true' });
  const mail = await startCatcher();
  const words = ['sandbox', 'start', '--port', '0', '--json', '--clock', 'tomorrow 9am'];
  const ports = ['--smtp-port', '0', '--dns-port', '0'];
  const more = [
    ...ports,
    '--smtp',
    mail.url,
    '--fault',
    'GET /v1/campaigns 500',
    '--language',
    'en',
  ];
  const server = place.start([...words, ...more], ofIt);
  let said = '';
  for await (const chunk of server.stdout ?? []) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  if (said === '') throw new Error((await server).stderr);
  const { apiKey, url } = JSON.parse(said) as Record<string, string>;
  expect(await (await fetch(url ?? '')).text()).toContain('<html');
  expect((await fetch(new URL('/unsubscribe/x', url))).status).toBe(404);
  const { exitCode } = await place.run(['login', '--base-url', url ?? '', '--with-token'], {
    ...ofIt,
    input: `${apiKey}\n`,
  });
  expect(exitCode).toBe(0);
  await runAll(place, [
    'whoami',
    'domain list',
    ['email', 'send', ...to, ...content],
    '__complete fish domain get e',
    '__complete fish email get e',
    'email list --since yesterday',
    'sandbox advance 1m',
    'sandbox status',
    'sandbox open',
    'config set from a@b.example',
    'logout',
    'logout',
    'profile list',
    ['profile', 'delete', 'default', '--yes'],
  ]);
  const terminal = openTerminal(place, 'mailer sandbox open', ofIt);
  expect(await terminal.end()).toBe(0);
  server.kill('SIGTERM');
  await server;
});

test('on a terminal', async () => {
  const place = createPlace();
  writeFileSync(join(place.home, 'p.json'), '[{"to":"a@example.org"}]');
  const reply = { to: 'a@example.org', inReplyToId: 'email_welcome' };
  writeFileSync(join(place.home, 'replies.json'), JSON.stringify([reply, reply]));
  const { baseUrl } = await startRecorder({ body: [] }, { body: [] }, { body: [] });
  await runAll(place, campaign);
  const terminal = openTerminal(
    place,
    [
      'mailer email list --sandbox; mailer reputation events --sandbox',
      'mailer stats --sandbox; mailer reputation history --sandbox',
      'mailer email get email_welcome --sandbox',
      'mailer email batch p.json --sandbox --from hello@example.com --subject Hi --text Hello',
      // Long enough for a progress bar.
      `mailer email batch replies.json --sandbox --from hello@example.com --subject Hi --text Hello --yes --rate 1`,
      'mailer login',
      `mailer email send --sandbox ${to.join(' ')} --subject Hi --text Hello --wait`,
      `mailer campaign watch News --sandbox`,
      `BROWSER=true mailer email batch p.json --sandbox --from hello@example.com --subject Hi --text Hello --preview 1 --open`,
    ].join('\n'),
    ofIt,
  );
  await terminal.shows(/Send 1 email/);
  terminal.type(`y${enter}`);
  await terminal.shows(/[Bb]ase URL/);
  terminal.type(`${baseUrl}${enter}`);
  await terminal.shows(/[Kk]ey.*$/m);
  terminal.type(`us_0123456789abcdef${enter}`);
  expect(await terminal.end()).toBe(0);
});

test('a rejected key', async () => {
  const { baseUrl } = await startRecorder({ status: 403, body: {} });
  const env = { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: 'us_ab12cd34_0123456789' };
  await runAll(createPlace(env), ['whoami'], [3]);
});

test('a file of certificates', async () => {
  const place = createPlace({ NODE_EXTRA_CA_CERTS: '/dev/null' });
  await runAll(place, ['sandbox path --json']);
});

test('these lines reach every late import: a new one needs a line', ({ skip }) => {
  skip(isExecutable, 'nothing of the executable is built anew');
  const reached = new Set(readFileSync(log, 'utf8').split('\n'));
  const left = imports.filter((one) => !reached.has(one)).map(withoutHashes);
  expect(imports.length).toBeGreaterThan(manifest.length);
  expect(left).toEqual([]);
});

function withoutHashes(name: string): string {
  return name.replaceAll(/-\w{8}\.cjs/g, '').replace(/ 1$/, '');
}
