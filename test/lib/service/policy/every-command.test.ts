import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../../../../src/api/operations.ts';
import { manifest } from '../../../../src/commands/manifest.ts';
import { classify } from '../../../../src/lib/service/policy/mailing.ts';
import { atTerminal } from '../../../support/at-terminal.ts';
import { type Connected, connected } from '../../../support/connected.ts';
import type { Recorded } from '../../../support/recorder.ts';
import { callsIn } from '../../../support/sources.ts';

/** No rule below allows this recipient. */
const ana = 'ana@example.org';
/** Nor this one, who is in the contact book. */
const bob = 'bob@example.org';
const me = 'me@example.net';

const content = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'];
const campaignContent = ['--name', 'N', '--from', 'hello@example.com', '--subject', 'S'];
const html = ['--html', '{{unsend_unsubscribe_url}}'];
const eml = `From: hello@example.com\nTo: ${ana}\nSubject: Hi\n\nHello\n`;
const email = { to: ana, from: 'hello@example.com', subject: 'Hi', text: 'Hello' };

/** Each rule, set so that it forbids everything it applies to. */
const rules = {
  'allow-to': { MAILER_ALLOW_TO: '' },
  'deny-to': { MAILER_DENY_TO: '*@*' },
  'allow-from': { MAILER_ALLOW_FROM: '' },
  'max-recipients': { MAILER_MAX_RECIPIENTS: '0' },
  'max-per-day': { MAILER_MAX_PER_DAY: '0' },
  'redirect-to': { MAILER_REDIRECT_TO: me },
  campaigns: { MAILER_CAMPAIGNS: 'off' },
  'read-only': { MAILER_READ_ONLY: 'on' },
} as const;
type Rule = keyof typeof rules;

/** Rules for a single email. A redirect changes its recipient instead of forbidding it. */
const ofEmails: readonly Rule[] = [
  ...(['allow-to', 'deny-to', 'allow-from', 'max-recipients'] as const),
  ...(['max-per-day', 'read-only'] as const),
];
const ofContacts: readonly Rule[] = [...ofEmails, 'redirect-to'];
const ofCampaigns: readonly Rule[] = [...ofContacts, 'campaigns'];
/** Rules for a scheduled email, which was counted and got its recipients earlier. */
const ofScheduled: readonly Rule[] = [
  ...(['allow-to', 'deny-to', 'allow-from', 'redirect-to', 'read-only'] as const),
];

interface Line {
  /** As in the manifest. */
  readonly command: string;
  /** The operation it calls. */
  readonly operation: OperationId;
  readonly words: readonly string[];
  readonly stdin?: string;
  /** Rules that forbid it. */
  readonly refusedBy: readonly Rule[];
  /** Whether a redirect changes its recipient. */
  readonly redirects?: true;
  /** The exit code when a rule forbids it. */
  readonly exitCode?: number;
  /** A command line to run first, without rules. */
  readonly before?: readonly string[];
  /** The body that the service returns to what `before` sends; undefined if it fails. */
  readonly accepted?: object;
}

function line(
  command: string,
  operation: OperationId,
  words: readonly string[],
  refusedBy: readonly Rule[],
  more: Partial<Line> = {},
): Line {
  const all = [...command.split(' '), ...words, '--retries', '0'];
  return { command, operation, words: all, refusedBy, ...more };
}

const redirects = { redirects: true } as const;
const batch = ['people.csv', ...content, '--yes'];
/** A reply is sent in a request of its own. */
const reply = ['--in-reply-to', 'email_1'];
const bounced = ['--status', 'bounced-transient', '--yes'];
const contacts = ['contacts.csv', '--book', 'book_1', '--yes'];
const posts = (
  path: string,
  operation: OperationId,
  body: unknown,
  refusedBy: readonly Rule[],
  more: Partial<Line> = {},
) =>
  line('api', operation, ['POST', path, '--input', '-'], refusedBy, {
    stdin: JSON.stringify(body),
    ...more,
  });

/** Every way to make the service send mail. */
const lines: readonly Line[] = [
  line('email send', 'email.send', ['--to', ana, ...content], ofEmails, redirects),
  line('email send', 'email.send', ['--to', me, '--cc', ana, ...content], ofEmails, redirects),
  line('email send', 'email.send', ['--to', me, '--bcc', ana, ...content], ofEmails, redirects),
  line('email send', 'email.send', ['--eml', '-'], ofEmails, { ...redirects, stdin: eml }),
  line('email send', 'email.send', ['--file', 'mail.json'], ofEmails, redirects),
  line('email batch', 'email.batch', batch, ofEmails, redirects),
  line('email batch', 'email.send', [...batch, ...reply], ofEmails, redirects),
  line('run resume', 'email.batch', ['--yes'], [...ofEmails, 'redirect-to'], {
    before: ['email', 'batch', ...batch, '--retries', '0'],
  }),
  line('run resume', 'email.send', ['--yes'], [...ofEmails, 'redirect-to'], {
    before: ['email', 'batch', ...batch, ...reply, '--retries', '0'],
  }),
  line('outbox send', 'email.send', [], ofEmails, {
    before: ['email', 'send', '--to', ana, ...content, '--for-approval'],
  }),
  line('outbox send', 'email.batch', [], ofEmails, {
    before: ['email', 'batch', ...batch, '--for-approval'],
  }),
  line('run retry', 'email.batch', bounced, ofEmails, {
    before: ['email', 'batch', ...batch],
    accepted: { data: [{ emailId: 'email_9' }] },
  }),
  line('run retry', 'email.send', bounced, ofEmails, {
    before: ['email', 'batch', ...batch, ...reply],
    accepted: { emailId: 'email_9' },
  }),
  line(
    'email reschedule',
    'email.reschedule',
    ['email_1', '--scheduled-at', '2026-02-01T10:00:00Z'],
    ofScheduled,
  ),
  line('sendmail', 'email.send', ['-t'], ofEmails, { ...redirects, stdin: eml, exitCode: 77 }),
  line('sendmail', 'email.send', [ana], ofEmails, { ...redirects, stdin: eml, exitCode: 77 }),
  line(
    'campaign create',
    'campaign.create',
    [...campaignContent, ...html, '--book', 'book_1', '--now', '--yes', '--allow-duplicate'],
    ofCampaigns,
  ),
  line(
    'campaign replace',
    'campaign.create',
    ['campaign_1', ...campaignContent, ...html, '--now', '--yes'],
    ofCampaigns,
  ),
  line('campaign schedule', 'campaign.schedule', ['campaign_1', '--now', '--yes'], ofCampaigns),
  line('campaign resume', 'campaign.resume', ['campaign_1', '--yes'], ofCampaigns),
  line('campaign test', 'email.send', ['campaign_1', '--to', ana], ofEmails, redirects),
  line('contact add', 'contact.create', ['--book', 'book_1', '--email', ana, '--yes'], ofContacts),
  line('contact import', 'contact.bulkCreate', contacts, ofContacts),
  line('contact sync', 'contact.bulkCreate', contacts, ofContacts),
  line('event send', 'event.send', ['joined', '--contact', bob, '--book', 'book_1'], ofContacts),
  line(
    'event send',
    'contact.create',
    ['joined', '--contact', ana, '--book', 'book_1', '--create', '--yes'],
    ofContacts,
  ),
  line('event send', 'event.send', ['joined', '--contact', 'contact_1'], ofContacts),
  posts('/v1/emails', 'email.send', email, ofEmails, redirects),
  posts('/v1/emails/batch', 'email.batch', [email], ofEmails, redirects),
  line(
    'api',
    'email.reschedule',
    ['PATCH', '/v1/emails/email_1', '-f', 'scheduledAt=2026-02-01T10:00:00Z'],
    ofScheduled,
  ),
  posts(
    '/v1/campaigns',
    'campaign.create',
    {
      ...{ name: 'N', from: 'hello@example.com', subject: 'S', html: html[1] },
      ...{ contactBookId: 'book_1', sendNow: true },
    },
    ofCampaigns,
  ),
  posts('/v1/campaigns/campaign_1/schedule', 'campaign.schedule', {}, ofCampaigns),
  posts('/v1/campaigns/campaign_1/resume', 'campaign.resume', {}, ofCampaigns),
  posts('/v1/contactBooks/book_1/contacts', 'contact.create', { email: ana }, ofContacts),
  posts(
    '/v1/contactBooks/book_1/contacts/bulk',
    'contact.bulkCreate',
    [{ email: ana }],
    ofContacts,
  ),
  posts('/v1/events/send', 'event.send', { name: 'joined', email: ana }, ofContacts),
];

/** Operations that can make the service send mail. */
const mailing = Object.values(operations)
  .filter(({ effect }) => effect !== 'reads')
  .filter(({ method, path }) => classify({ method, path }).kind !== 'none')
  .map(({ id }) => id);

function isRequestFor(id: OperationId, { method, path }: Recorded): boolean {
  const operation = operations[id];
  const wanted = new RegExp(`^/api${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return method === operation.method && wanted.test(path);
}

function isMailing(request: Recorded): boolean {
  return mailing.some((id) => isRequestFor(id, request));
}

const bounce = { id: 'email_9', to: [ana], from: 'hello@example.com', latestStatus: 'BOUNCED' };

/** What the service returns when it is read; every write fails, unless it is accepted `before`. */
const shown: readonly (readonly [path: RegExp, body: unknown])[] = [
  [/campaigns\?/, { campaigns: [], totalPage: 0 }],
  [
    /emails\?/,
    { data: [{ ...bounce, subject: 'Hi', createdAt: '2026-01-31T12:00:00Z' }], count: 1 },
  ],
  [
    /emails\/email_9$/,
    {
      ...bounce,
      emailEvents: [
        {
          ...{ emailId: 'email_9', status: 'BOUNCED', createdAt: '2026-01-31T12:00:01Z' },
          data: { bounceType: 'Transient', bounceSubType: 'MailboxFull' },
        },
      ],
    },
  ],
  [/emails\/email_1$/, { id: 'email_1', to: [ana], from: 'hello@example.com', emailEvents: [] }],
  [
    /campaigns\/campaign_1$/,
    {
      ...{ id: 'campaign_1', name: 'N', from: 'hello@example.com', subject: 'S' },
      ...{ html: html[1], contactBookId: 'book_1', status: 'DRAFT', cc: [], bcc: [] },
    },
  ],
  [
    /contactBooks\/book_1$/,
    { id: 'book_1', name: 'Book', doubleOptInEnabled: true, _count: { contacts: 1 } },
  ],
  [/contactBooks\/book_1\/contacts\?.*emails=bob/, [{ id: 'contact_2', email: bob }]],
  [/contactBooks\/book_1\/contacts\?.*emails=/, []],
  [/contactBooks\/book_1\/contacts\/contact_2$/, { id: 'contact_2', email: bob }],
  [
    /contactBooks\/book_1\/contacts/,
    [{ id: 'contact_1', email: 'cleo@example.org', subscribed: true }],
  ],
];

function answer(response: ServerResponse, { method, path }: Recorded): void {
  const body = method === 'GET' ? shown.find(([known]) => known.test(path))?.[1] : undefined;
  response.writeHead(method === 'GET' ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? []));
}

async function outcomeOf(
  { words, stdin, before, accepted }: Line,
  env: Record<string, string> = {},
  format = ['--json'],
) {
  let isBefore = true;
  const respond = (response: ServerResponse, request: Recorded) => {
    if (!isBefore || accepted === undefined || request.method === 'GET') {
      return answer(response, request);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(accepted));
  };
  const setup: Connected = await connected(...Array.from({ length: 40 }, () => respond));
  setup.file('people.csv', `to\n${ana}\n`);
  setup.file('contacts.csv', `email\nnew-${ana}\n`);
  setup.file('mail.json', email);
  if (before !== undefined) await setup.run(before);
  isBefore = false;
  const earlier = setup.service.requests.length;
  const run = async () => JSON.parse((await setup.run('run list --json')).stdout)[0].run;
  const named = async () => (words[0] === 'outbox' ? await approved(setup) : await run());
  const all = before === undefined ? words : words.toSpliced(2, 0, await named());
  const outcome = await setup.run([...all, ...format], { env, ...(stdin ? { stdin } : {}) });
  return { ...outcome, sent: setup.service.requests.slice(earlier).filter(isMailing) };
}

/** The id of the only entry of the outbox, once a person has approved it. */
async function approved({ run }: Connected): Promise<string> {
  const id = (await run('outbox list --quiet')).stdout.trim();
  await atTerminal(run, ['outbox', 'approve', id], [['type the number', '1\r']]);
  return id;
}

function recipientsIn({ body }: Recorded): unknown[] {
  return [JSON.parse(body)].flat().flatMap(({ to, cc = [], bcc = [] }) => [to, cc, bcc].flat());
}

describe.each(lines.map((one) => [one.words.join(' '), one] as const))('%s', (_, one) => {
  test('makes the service send mail', async () => {
    const [request, ...others] = (await outcomeOf(one)).sent;
    expect(request && isRequestFor(one.operation, request)).toBe(true);
    expect(others).toEqual([]);
  });

  test.each(one.refusedBy)('does not get past %s', async (rule) => {
    const { exitCode, stderr, stdout, sent } = await outcomeOf(one, rules[rule]);
    expect(sent).toEqual([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: one.exitCode ?? 2, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'policy', rule });
  });

  test.each(['always', 'above 0', 'outside nowhere.example'])(
    'needs the approval of a person by the rule %s, which only "outbox send" has',
    async (rule) => {
      const { exitCode, stderr, sent } = await outcomeOf(one, { MAILER_APPROVAL: rule });
      expect(sent.length).toBe(one.command === 'outbox send' ? 1 : 0);
      if (one.command === 'outbox send') return;
      expect(exitCode).toBe(one.exitCode ?? 2);
      const { error } = JSON.parse(stderr);
      expect(error.rule).toBe('approval');
      // Where it cannot be known whether somebody is outside, nobody can approve it either.
      expect(error.code).toMatch(
        rule.startsWith('outside') ? /^(approval_needed|policy)$/ : /^approval_needed$/,
      );
    },
  );

  if (one.redirects) {
    test('goes only to the address of a redirect, and a note says so', async () => {
      const { sent, stderr } = await outcomeOf(one, rules['redirect-to'], []);
      expect(sent.flatMap(recipientsIn)).toEqual([me]);
      const note = `Redirected to ${me} by MAILER_REDIRECT_TO (redirect-to).`;
      expect(stderr.split('\n').filter((line) => line === note)).toEqual([note]);
    });
  }
});

describe('every way is listed here', () => {
  test.each([
    ['a command', false],
    ['api', true],
  ])('to an operation that sends mail, by %s', (_, isApi) => {
    const ofLines = lines.filter(({ command }) => (command === 'api') === isApi);
    expect([...new Set(ofLines.map(({ operation }) => operation))].sort()).toEqual(mailing.sort());
  });

  test('through a command that calls such an operation', () => {
    const found = manifest.flatMap(({ words }) => {
      const called = callsIn([`src/commands/${words.join('/')}.ts`]);
      return mailing.filter((id) => called.has(id)).map((id) => `${words.join(' ')}: ${id}`);
    });
    const known = new Set(lines.map(({ command, operation }) => `${command}: ${operation}`));
    expect(found.filter((one) => !known.has(one))).toEqual([]);
    expect(found).toContain('contact sync: contact.bulkCreate');
  });
});
