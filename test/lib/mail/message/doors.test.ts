import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { operations } from '../../../../src/api/operations.ts';
import { messageOperations } from '../../../../src/lib/service/http/passed.ts';
import type { Door, MessageCheck } from '../../../../src/shared/check/check.ts';
import { checks } from '../../../../src/shared/check/table.ts';
import { type Connected, connected } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { filesIn, read } from '../../../support/sources.ts';

/** What a check finds, as parts of a message. */
interface Parts {
  readonly subject: string;
  readonly html: string;
  /** The same in Markdown, if HTML cannot have it. */
  readonly markdown?: string;
}

const leave = '<a href="{{usesend_unsubscribe_url}}">Leave</a>';
const good: Parts = { subject: 'Hi', html: '<p>Hello</p>' };

/** A message with each finding that has a door. */
const bad: Readonly<Record<string, Partial<Parts>>> = {
  'characters-lost': { html: '<p>Gr\ufffde</p>' },
  'computed-number': { subject: 'Now 29.150000000000002' },
  'computed-text': { html: '<p>Hi <b>undefined</b>,</p>' },
  'escaped-line-break': { subject: 'Hi\\nAna' },
  'foreign-markdown': { markdown: 'Hi[^1]' },
  'foreign-tag': { html: '<p>Hi *|FNAME|*</p>' },
  'front-matter': { html: '---\ntitle: a\n---\n<p>x</p>' },
  // Below, at each door that takes headers.
  'header-ignored': {},
  'html-entity': { html: '<p>Tom &amp;amp; Jerry</p>' },
  'html-nesting': { html: `<p>x</p>${'<div>'.repeat(510)}x${'</div>'.repeat(510)}` },
  'html-unclosed': { html: '<p>x</p><p>If price<max then buy. Dear Ana</p>' },
  'image-source': { html: '<p>x</p><img src="images/a.png" alt="">' },
  'link-empty': { html: '<a href="#">x</a>' },
  'link-private': { html: '<a href="http://192.168.0.5/">x</a>' },
  'link-syntax': { html: '<a href="/pricing">x</a>' },
  // Only rows have values: the tests of email batch have it.
  'link-value': {},
  'no-content': { html: '<p> &nbsp; </p>' },
  // As an editor encodes it: nothing fills it in, whatever the kind of message.
  placeholder: { html: '<a href="https://a.example/%7B%7Bid%7D%7D">x</a>' },
  'placeholder-blank': { html: '<p>Hi {{firstName}}</p>' },
  'style-source': { html: '<link rel="stylesheet" href="style.css"><p>x</p>' },
  'subject-missing': { subject: ' ' },
  'terminal-codes': { html: '<p>\u001b[31mFAILED\u001b[0m</p>' },
  'unknown-tag': { html: '<p>Hi</p><p><b><Name></b>,</p>' },
  'wrong-charset': { html: '<p>KrÃ¤fte, Itâ€™s â‚¬5</p>' },
  'unsubscribe-link': { html: '<p>x</p>' },
};

/** A way to mail or store a message. */
interface Way {
  /** As in the manifest. */
  readonly command: string;
  readonly door: Door;
  readonly kind: 'email' | 'campaign' | 'template' | 'confirmation';
  /** The words after those of the command; a file may be written for them. */
  readonly words: (parts: Parts, all: Connected) => readonly string[];
  readonly stdin?: (parts: Parts) => string;
  /** What the service has stored already. */
  readonly stored?: (parts: Parts) => Readonly<Record<string, unknown>>;
  /** Codes that this way cannot have, or that its own format settles before. */
  readonly never?: readonly string[];
  /** Codes of what may be meant here, because another program wrote it. */
  readonly said?: readonly string[];
  readonly takesMarkdown?: boolean;
}

const from = ['--from', 'hello@example.com'];
const to = ['--to', 'ana@example.org'];
const texts = ({ subject, html }: Parts) => ['--subject', subject, '--html', html];
const inRows = ({ subject, html }: Parts, { file }: Connected) => [
  file('rows.json', [{ to: 'ana@example.org', subject, html }]),
  ...[...from, '--yes'],
];
const campaign = ({ subject, html }: Parts) => ({
  ...{ id: 'camp_1', name: 'News', from: 'news@example.com', status: 'DRAFT', subject, html },
  ...{ contactBookId: 'book_1', content: null },
});
const ofCampaign = [...from, '--name', 'March', '--book', 'book_1', '--allow-duplicate', '--yes'];
const later = ['--scheduled-at', '2026-02-01T09:00:00Z'];
const oneTemplate = ['--template', 'tmpl_1', '--text', 'x'];
const asStored = (parts: Parts) => ({ id: 'tmpl_1', name: 'Welcome', ...parts });
const message = ({ subject, html }: Parts) =>
  `From: hello@example.com\nTo: ana@example.org\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n${html}\n`;
/** The reader of a message says what it finds in the characters. */
const ofMessages = ['characters-lost'];

/** A document of the editor has none of these. */
const ofHtml = ['html-entity', 'html-nesting', 'html-unclosed', 'terminal-codes', 'unknown-tag'];

/** What only the text of a file in Markdown has is tried there; all else, where HTML is given. */
const ofMarkdown = {
  takesMarkdown: true,
  never: Object.keys(bad).filter((code) => code !== 'foreign-markdown'),
};
const asMarkdown = ({ markdown, html }: Parts, { file }: Connected) => [
  ...['--markdown-file', file('a.md', markdown ?? html)],
];

const ways: Readonly<Record<string, Way>> = {
  'email send': {
    ...email('email send', 'now'),
    words: (parts) => [...from, ...to, ...texts(parts)],
  },
  'email send --markdown-file': {
    ...email('email send', 'now'),
    ...ofMarkdown,
    words: (parts, all) => [...from, ...to, '--subject', parts.subject, ...asMarkdown(parts, all)],
  },
  'email send, later': {
    ...email('email send', 'later'),
    words: (parts) => [...from, ...to, ...texts(parts), ...later],
  },
  'email send --file': {
    ...email('email send', 'now'),
    words: ({ subject, html }, { file }) => [
      ...[...from, ...to, '--file', file('r.json', { subject, html })],
    ],
  },
  'email send --template': {
    ...email('email send', 'now'),
    words: () => [...from, ...to, ...oneTemplate],
    stored: asStored,
  },
  'email send --eml': {
    ...email('email send', 'now'),
    words: (parts, { file }) => ['--eml', file('a.eml', message(parts))],
    never: [...ofMessages, 'subject-missing'],
    said: ['placeholder', 'foreign-tag'],
  },
  'email batch': {
    ...email('email batch', 'now'),
    words: (parts, { file }) => [
      file('to.csv', 'to\nana@example.org\n'),
      ...[...from, ...texts(parts), '--yes'],
    ],
  },
  'email batch --markdown-file': {
    ...email('email batch', 'now'),
    ...ofMarkdown,
    words: (parts, all) => [
      all.file('to.csv', 'to\nana@example.org\n'),
      ...[...from, '--subject', parts.subject, ...asMarkdown(parts, all), '--yes'],
    ],
  },
  'email batch, its rows': { ...email('email batch', 'now'), words: inRows },
  'email batch --template': {
    ...email('email batch', 'now'),
    words: (_, { file }) => [
      file('to.csv', 'to\nana@example.org\n'),
      ...[...from, '--template', 'tmpl_1', '--yes'],
    ],
    stored: asStored,
  },
  'campaign create': {
    ...ofCampaigns('campaign create', 'draft'),
    words: (parts) => [...ofCampaign, ...texts(parts)],
  },
  'campaign create --markdown-file': {
    ...ofCampaigns('campaign create', 'draft'),
    ...ofMarkdown,
    words: (parts, all) => [
      ...[...ofCampaign, '--subject', parts.subject],
      ...asMarkdown({ ...parts, markdown: `${parts.markdown ?? parts.html}\n\n${leave}` }, all),
    ],
  },
  'campaign create --now': {
    ...ofCampaigns('campaign create', 'now'),
    words: (parts) => [...ofCampaign, ...texts(parts), '--now'],
  },
  'campaign create, later': {
    ...ofCampaigns('campaign create', 'later'),
    words: (parts) => [...ofCampaign, ...texts(parts), ...later],
  },
  'campaign replace': {
    ...ofCampaigns('campaign replace', 'draft'),
    words: (parts) => ['camp_1', ...texts(parts), '--yes'],
    stored: () => campaign({ ...good, html: leave }),
  },
  'campaign schedule': {
    ...ofCampaigns('campaign schedule', 'now'),
    words: () => ['camp_1', '--now', '--yes'],
    stored: campaign,
  },
  'campaign schedule, later': {
    ...ofCampaigns('campaign schedule', 'later'),
    words: () => ['camp_1', ...later, '--yes'],
    stored: campaign,
  },
  'campaign resume': {
    ...ofCampaigns('campaign resume', 'now'),
    words: () => ['camp_1', '--yes'],
    stored: (parts) => ({ ...campaign(parts), status: 'PAUSED' }),
  },
  'campaign test': {
    ...ofCampaigns('campaign test', 'test'),
    words: () => ['camp_1', ...to],
    stored: campaign,
  },
  'template create': {
    ...stored('template create', 'template'),
    words: (parts) => ['--name', 'Welcome', ...texts(parts)],
  },
  'template push': {
    ...stored('template push', 'template'),
    words: ({ subject, html }, { file }) => {
      file('t/a.html', `---\nname: Welcome\nsubject: '${subject}'\n---\n${html}`);
      return ['t', '--yes'];
    },
    never: ['subject-missing'],
  },
  'contact book create': {
    ...stored('contact book create', 'confirmation'),
    words: ({ subject, html }) => [
      ...['--name', 'Readers', '--double-opt-in', 'on', '--double-opt-in-subject', subject],
      ...['--double-opt-in-content', JSON.stringify(asDocument(html))],
    ],
    never: [...ofHtml, 'front-matter', 'no-content', 'style-source'],
  },
  'contact book update': {
    ...stored('contact book update', 'confirmation'),
    words: ({ subject, html }) => [
      ...['book_1', '--double-opt-in-subject', subject],
      ...['--double-opt-in-content', JSON.stringify(asDocument(html))],
    ],
    never: [...ofHtml, 'front-matter', 'no-content', 'style-source'],
  },
  api: {
    ...email('api', 'raw'),
    words: () => ['POST', '/v1/emails', '--input', '-'],
    stdin: ({ subject, html }) =>
      JSON.stringify({ to: 'a@example.org', from: 'hello@example.com', subject, html }),
  },
  sendmail: {
    ...email('sendmail', 'raw'),
    words: () => ['-t'],
    stdin: message,
    never: [...ofMessages, 'subject-missing'],
  },
};

/** Commands that mail or store, but no message of their own, and why. */
const without: Readonly<Record<string, string>> = {
  'run resume': 'its emails passed when the run was prepared, and are sent as recorded',
  'run retry': 'its rows pass as those of email batch do',
  'email reschedule':
    'the email is stored, and the service shows no more of it than when it was sent',
  'event send': 'the service has what it mails, and shows it to nobody',
  'contact add': 'the text that asks for confirmation passed when the book got it',
  'contact import': 'the same',
  'contact sync': 'the same',
  'contact update': 'the same',
  'segment materialize': 'a book without texts',
  'outbox send': 'what is approved passed when it was prepared, and is sent as recorded',
  mcp: 'its tools run the commands above',
};

function email(command: string, door: Door) {
  return { command, door, kind: 'email' } as const;
}

function ofCampaigns(command: string, door: Door) {
  return { command, door, kind: 'campaign' } as const;
}

function stored(command: string, kind: 'template' | 'confirmation') {
  return { command, door: 'stored', kind } as const;
}

/** A document of the dashboard's editor that shows the same as some HTML. */
function asDocument(html: string) {
  const [, src] = /src="([^"]*)"/.exec(html) ?? [];
  const [, href] = /href="([^"]*)"/.exec(html) ?? [];
  const text = html.replace(/<[^>]*>/g, '');
  return {
    type: 'doc',
    content: [
      { type: 'text', text: href?.includes('%7B') ? `${text} ${href}` : text },
      ...(src ? [{ type: 'image', attrs: { src } }] : []),
      ...(href && !href.includes('%7B') ? [{ type: 'button', attrs: { url: href } }] : []),
    ],
  };
}

/** A service that has what is stored, and takes whatever is sent to it. */
async function serviceWith(has: Readonly<Record<string, unknown>> | undefined) {
  const replies: readonly (readonly [RegExp, unknown])[] = [
    [/^GET .*\/templates\/\w/, has],
    [/^GET .*\/templates$/, []],
    [/^GET .*\/campaigns\/\w/, has],
    [/^GET .*\/campaigns/, { campaigns: [], totalPage: 0 }],
    [/^GET .*\/contacts\b/, [{ id: 'c', email: 'ana@example.org', subscribed: true }]],
    [/^GET .*\/contactBooks$/, []],
    [/^(?:GET|PATCH) .*\/contactBooks\/\w/, { id: 'book_1', name: 'Readers', variables: [] }],
    [/^POST .*\/contactBooks$/, { id: 'book_1', name: 'Readers' }],
    [/^POST .*\/emails\/batch$/, { data: [{ emailId: 'email_1' }] }],
    [/^POST .*\/emails$/, { emailId: 'email_1' }],
    [/^POST .*\/(?:schedule|resume)$/, { success: true }],
    [/^POST .*\/campaigns$/, { id: 'camp_2', name: 'March', status: 'DRAFT' }],
    [/^DELETE .*\/campaigns/, { id: 'camp_1', name: 'News', status: 'DRAFT' }],
    [/^POST .*\/templates$/, { id: 'tmpl_1', name: 'Welcome' }],
  ];
  const answer: Answer = (response, { method, path }) => {
    const [, body] = replies.find(([route]) => route.test(`${method} ${path}`)) ?? [];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: { code: 'NOT_FOUND', message: 'no' } }));
  };
  return await connected(...Array.from({ length: 30 }, () => answer));
}

const atDoors = checks.filter(({ doors }) => doors !== undefined);

/** What a way must do with a finding, by the table. */
function expected(
  { door, kind, never = [], said = [], takesMarkdown }: Way,
  { code, doors }: MessageCheck,
) {
  if (said.includes(code)) return 'warning';
  if (['link-value', 'header-ignored'].includes(code)) return undefined;
  if (code === 'placeholder-blank' && kind !== 'campaign') return undefined;
  if (code === 'foreign-markdown' && takesMarkdown !== true) return undefined;
  if (never.includes(code) || (code === 'unsubscribe-link' && kind !== 'campaign'))
    return undefined;
  const severity = doors?.[door];
  // The recorder is on this machine, where such links are tried out.
  return severity !== undefined && code === 'link-private' ? 'warning' : severity;
}

test('every check with a door has a message that has it', () => {
  expect(Object.keys(bad).sort()).toEqual(atDoors.map(({ code }) => code).sort());
});

describe.each(Object.entries(ways))('%s', (_, way) => {
  const carry = async (parts: Parts, more: readonly string[] = []) => {
    const inCampaign = way.kind === 'campaign' && parts.html !== bad['unsubscribe-link']?.html;
    // Nothing to see must stay so.
    const link = parts.html === bad['no-content']?.html ? leave.replace('Leave', '') : leave;
    const whole = inCampaign ? { ...parts, html: `${parts.html}${link}` } : parts;
    const all = await serviceWith(way.stored?.(whole));
    const words = [...way.command.split(' '), ...way.words(whole, all), '--retries', '0', ...more];
    const outcome = await all.run(words, { stdin: way.stdin?.(whole) });
    const wrote = all.requests().filter((one) => !one.startsWith('GET'));
    return { ...outcome, wrote };
  };

  test('what is flawless passes without a word', async () => {
    const { exitCode, stderr, wrote } = await carry(good);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).not.toContain('Warning');
    expect(wrote).not.toEqual([]);
  });

  const tried = atDoors.filter(
    ({ code }) => way.takesMarkdown !== true || !way.never?.includes(code),
  );

  test.each(tried.map((check) => [check.code, check] as const))('%s', async (code, check) => {
    // In an email, nothing fills it in.
    if (code === 'placeholder-blank' && way.kind === 'email') return;
    const severity = expected(way, check);
    const { exitCode, stderr, wrote } = await carry({ ...good, ...bad[code] });
    const about = { isOne: true, kind: way.kind, isLikely: way.said?.includes(code) ?? false };
    const title = check.title?.(about).replace(/^./, '') ?? '';
    if (severity === 'error') {
      expect({ exitCode, wrote }, stderr).toEqual({ exitCode: 2, wrote: [] });
      expect(stderr).toContain(title);
      // The hint works as it stands.
      const [flag = ''] = /--[a-z-]+(?=\.$)/.exec(check.settle ?? '--literal.') ?? [];
      expect(stderr).toContain(flag);
      const settled = await carry({ ...good, ...bad[code] }, [flag]);
      expect(settled, settled.stderr).toMatchObject({ exitCode: 0 });
      expect(settled.wrote).not.toEqual([]);
      return;
    }
    if (way.never?.includes(code)) return;
    expect({ exitCode }, stderr).toEqual({ exitCode: 0 });
    expect(wrote).not.toEqual([]);
    if (severity === 'warning') expect(stderr).toMatch(new RegExp(`Warning: .${escaped(title)}`));
    else expect(stderr).not.toContain(title);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('a header that has no effect is said', () => {
  const header = { 'List-Unsubscribe': 'https://a.example/u' };
  const line = 'List-Unsubscribe: https://a.example/u';
  const mail = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: 'x' };
  const eml = message(good).replace('MIME', `${line}\nDate: Mon, 5 Jan 2026 09:00:00 +0000\nMIME`);
  const words: Readonly<Record<string, (all: Connected) => readonly string[]>> = {
    'email send': () => [...from, ...to, ...texts(good), '--header', line],
    'email send --eml': ({ file }) => ['--eml', file('a.eml', eml)],
    'email batch': ({ file }) => [file('rows.json', [{ ...mail, headers: header }]), '--yes'],
    api: () => ['POST', '/v1/emails', '--input', '-'],
    sendmail: () => ['-t'],
  };

  test.each(Object.entries(words))('by %s', async (way, wordsOf) => {
    const all = await serviceWith({});
    const command = way.replace(/ --.*/, '').split(' ');
    const stdin = way === 'api' ? JSON.stringify({ ...mail, headers: header }) : eml;
    const { exitCode, stderr } = await all.run([...command, ...wordsOf(all)], { stdin });
    expect({ exitCode }, stderr).toEqual({ exitCode: 0 });
    expect(stderr.match(/This header has no effect:\n.*mailboxes ignore/g)).toHaveLength(1);
    // What services drop is left out of messages of other programs.
    expect(stderr).not.toContain('services drop');
  });
});

test('every command that mails has its ways here, or a reason to have none', async () => {
  const { run } = await connected();
  const { stdout } = await run('commands --json');
  const rows: readonly { command: string; effects: readonly string[] }[] = JSON.parse(stdout);
  const mailing = rows.flatMap(({ command, effects }) =>
    effects.includes('mails') ? [command.replace(/^mailer /, '')] : [],
  );
  expect(mailing.length).toBeGreaterThan(10);
  const known = new Set([
    ...Object.values(ways).map(({ command }) => command),
    ...Object.keys(without),
  ]);
  expect(mailing.filter((words) => !known.has(words))).toEqual([]);
});

const unrepresentable = { unrepresentable: 'any', io: 'input' } as const;

test('every operation that mails or stores a message asks for the proof', () => {
  const carrying = Object.values(operations).filter(
    ({ path, effect, input }) =>
      effect !== 'reads' &&
      (/\/campaigns\/.*\/(?:schedule|resume)$/.test(path) ||
        /"(?:html|doubleOptInContent)"/.test(
          JSON.stringify(z.toJSONSchema(input, unrepresentable)),
        )),
  );
  // A batch is sent from the journal of a run, whose emails passed when it was prepared.
  const ids = carrying.map(({ id }) => id).filter((id) => id !== 'email.batch');
  expect([...messageOperations].sort()).toEqual(ids.sort());
});

test('only the gate makes the proof', () => {
  const makers = filesIn('src/**/*.ts').filter((file) => /\bmarkPassed\(/.test(read(file)));
  expect(makers.sort()).toEqual(['src/lib/mail/message/gate.ts', 'src/lib/service/http/passed.ts']);
  const waived = filesIn('src/**/*.ts').filter((file) => /\bwaive\('/.test(read(file)));
  expect(waived.sort()).toEqual([
    'src/commands/campaign/test.ts',
    'src/lib/mail/campaign/confirm-start.ts',
    'src/lib/mail/campaign/plan-replacement.ts',
    'src/lib/mail/campaign/replace-started.ts',
    'src/lib/mail/template/push.ts',
    'src/lib/people/import/planned-calls.ts',
    'src/lib/runs/bulk/show/test-row.ts',
  ]);
});

test('what is found may be in any number of places', async () => {
  const { run, file } = await connected();
  const links = Array.from({ length: 150_000 }, (_, at) => `<a href="/${at}">a</a>`).join('');
  const words = ['email', 'send', ...from, ...to, '--subject', 'Hi', '--text', 'Hi'];
  const { exitCode, stderr } = await run([...words, '--html-file', file('a.html', links)]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('and 149,990 more');
});
