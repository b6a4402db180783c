import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf, key } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

type Env = Readonly<Record<string, string>>;
const accepted: Answer = { body: { emailId: 'email_1' } };
const email = { to: 'a@example.com', from: 'hello@example.com', subject: 'Hi', text: 'x' };

interface Request {
  readonly path?: string;
  /** The project's rules. */
  readonly project?: object;
  /** The service's responses before the request is sent. */
  readonly found?: readonly Answer[];
}

/** The rule that forbids a request, or the body that was sent. */
async function outcomeOf(env: Env, body: unknown, request: Request = {}) {
  const { path = '/v1/emails', project, found = [] } = request;
  const { run, sent, world, service } = await connected(...found, accepted);
  if (project !== undefined) {
    writeFileSync(join(world.home, '.mailer.json'), JSON.stringify({ policy: project }));
  }
  const words = ['api', 'POST', path, '--input', '-', '--json'];
  const outcome = await run(words, { env, stdin: JSON.stringify(body) });
  if (outcome.exitCode === 0) return sent(found.length);
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  return { refusal: { rule: '', addresses: [], ...errorOf(outcome) } };
}

const refusedBy = (rule: string, ...addresses: readonly string[]) => ({
  refusal: { rule, addresses },
});

describe('of two places, the stricter one counts', () => {
  test.each<[rule: string, strict: [Env, object], loose: [Env, object]]>([
    [
      'allow-to',
      [{ MAILER_ALLOW_TO: 'b@example.com' }, { allowTo: ['b@example.com'] }],
      [{ MAILER_ALLOW_TO: '*@*' }, { allowTo: ['*@*'] }],
    ],
    [
      'deny-to',
      [{ MAILER_DENY_TO: 'a@example.com' }, { denyTo: ['a@example.com'] }],
      [{ MAILER_DENY_TO: 'b@example.com' }, { denyTo: ['b@example.com'] }],
    ],
    [
      'allow-from',
      [{ MAILER_ALLOW_FROM: 'b@example.com' }, { allowFrom: ['b@example.com'] }],
      [{ MAILER_ALLOW_FROM: '*@*' }, { allowFrom: ['*@*'] }],
    ],
    [
      'max-recipients',
      [{ MAILER_MAX_RECIPIENTS: '0' }, { maxRecipients: 0 }],
      [{ MAILER_MAX_RECIPIENTS: '1' }, { maxRecipients: 1 }],
    ],
    [
      'max-per-day',
      [{ MAILER_MAX_PER_DAY: '0' }, { maxPerDay: 0 }],
      [{ MAILER_MAX_PER_DAY: '1' }, { maxPerDay: 1 }],
    ],
  ])('%s', async (rule, [strictEnv, strict], [looseEnv, loose]) => {
    const wanted = { refusal: { rule } };
    expect(await outcomeOf(strictEnv, email, { project: loose })).toMatchObject(wanted);
    expect(await outcomeOf(looseEnv, email, { project: strict })).toMatchObject(wanted);
    expect(await outcomeOf(looseEnv, email, { project: loose })).toEqual(email);
  });

  test('campaigns', async () => {
    const path = '/v1/campaigns/campaign_1/resume';
    for (const [env, campaigns] of [
      ['on', false],
      ['off', true],
    ] as const) {
      const project = { campaigns };
      const outcome = await outcomeOf({ MAILER_CAMPAIGNS: env }, {}, { path, project });
      expect(outcome).toMatchObject({ refusal: { rule: 'campaigns' } });
    }
    expect(await outcomeOf({ MAILER_CAMPAIGNS: 'ON' }, { x: 1 }, { path })).toEqual({ x: 1 });
  });
});

test('of a profile that are damaged send nothing', async () => {
  const { service } = await connected();
  const profile = { baseUrl: service.baseUrl, apiKey: key, policy: { alowTo: [] } };
  const world = await worldWith({ work: profile }, 'work');
  const line = `email send --to a@example.com --from ${email.from} --subject Hi --text x`;
  const { exitCode, stderr } = await world.run(line);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('The policy of profile work is '),
  });
  expect(service.requests).toEqual([]);
});

describe('recipients', () => {
  const allow = { MAILER_ALLOW_TO: '*@example.com' };
  const deny = { MAILER_DENY_TO: 'd@example.com' };
  const quoted = '"a b"@example.com';

  test.each<[Env, object, string, string]>([
    [allow, { to: ['a@example.com', 'b@example.org'] }, 'allow-to', 'b@example.org'],
    [allow, { cc: 'b@example.org' }, 'allow-to', 'b@example.org'],
    [allow, { bcc: ['b@example.org'] }, 'allow-to', 'b@example.org'],
    [allow, { to: quoted }, 'allow-to', quoted],
    [deny, { to: ['a@example.com', 'd@example.com'] }, 'deny-to', 'd@example.com'],
    [deny, { cc: 'D+news@Example.com' }, 'deny-to', 'd+news@example.com'],
    [deny, { bcc: 'd@example.com' }, 'deny-to', 'd@example.com'],
    [deny, { to: quoted }, 'deny-to', quoted],
  ])('%o refuses %o', async (env, fields, rule, address) => {
    expect(await outcomeOf(env, { ...email, ...fields })).toMatchObject(refusedBy(rule, address));
  });

  test('each counts, in every email of a request', async () => {
    const two = { ...email, cc: 'b@example.com' };
    const path = '/v1/emails/batch';
    const env = { MAILER_MAX_RECIPIENTS: '3' };
    expect(await outcomeOf(env, [two, two], { path })).toMatchObject(refusedBy('max-recipients'));
    expect(await outcomeOf(env, [two, email], { path })).toEqual([two, email]);
  });

  test('of an email that is scheduled: copies, too', async () => {
    for (const copies of [{ cc: ['b@example.org'] }, { bcc: ['b@example.org'] }]) {
      const shown = { id: 'email_1', to: [email.to], from: email.from, emailEvents: [], ...copies };
      const { run } = await connected({ body: shown });
      const line = 'email reschedule email_1 --scheduled-at 2027-01-01T00:00:00Z --json';
      expect(errorOf(await run(line, { env: allow }))).toMatchObject({
        ...{ rule: 'allow-to', addresses: ['b@example.org'] },
      });
    }
  });

  const later = 'email reschedule email_1 --scheduled-at 2027-01-01T00:00:00Z --json';
  const patches = ({ service }: Connected) =>
    service.requests.filter(({ method }) => method === 'PATCH').length;
  const bare = { id: 'email_1', to: [email.to], from: email.from };
  const other = { ...bare, id: 'email_2', cc: [], bcc: [] };

  test.each<[object, number]>([
    [{ ...bare, cc: ['b@example.org'], bcc: [] }, 0],
    [{ ...bare, cc: [], bcc: ['b@example.org'] }, 0],
    [{ ...bare, cc: '', bcc: 'b@example.org' }, 0],
    [{ ...bare, cc: ['c@example.com'], bcc: [] }, 1],
    [{ ...bare, cc: null, bcc: null }, 1],
  ])(
    'of an email that is scheduled: copies that only the list shows: %j',
    async (listed, moved) => {
      for (const env of [allow, { MAILER_DENY_TO: 'b@example.org' }]) {
        const data = [other, listed];
        const setup = await connected(
          ...[{ body: { ...bare, emailEvents: [] } }, { body: { data, count: 2 } }],
          { body: { emailId: 'email_1' } },
        );
        const { exitCode } = await setup.run(later, { env });
        expect({ exitCode, moved: patches(setup) }).toEqual({
          exitCode: moved === 1 ? 0 : 2,
          moved,
        });
      }
    },
  );

  test.each<[string, Answer]>([
    ['the list lacks it', { body: { data: [other], count: 1 } }],
    ['the list lacks them, too', { body: { data: [bare], count: 1 } }],
    ['there is no list', { status: 404, body: '404 Not Found' }],
  ])('of an email that is scheduled cannot be checked if %s', async (_, list) => {
    const setup = await connected({ body: { ...bare, emailEvents: [] } }, list, list);
    expect(errorOf(await setup.run(later, { env: allow }))).toMatchObject({
      ...{ code: 'policy', rule: 'allow-to' },
      message: expect.stringContaining('cannot be checked: the service does not show'),
    });
    expect(patches(setup)).toBe(0);
  });

  test('are not looked up for rules about the sender', async () => {
    const setup = await connected(
      ...[{ body: { ...bare, emailEvents: [] } }, { body: { emailId: 'email_1' } }],
    );
    const env = { MAILER_ALLOW_FROM: '*@example.com', MAILER_MAX_RECIPIENTS: '1' };
    expect(await setup.run(later, { env })).toMatchObject({ exitCode: 0 });
    expect(setup.service.requests).toHaveLength(2);
  });

  test.each<[string, Env]>([
    ['schedule', allow],
    ['resume', allow],
    ['schedule', { MAILER_MAX_RECIPIENTS: '5' }],
  ])(
    'of a campaign cannot be checked at %s if the service does not show its copies',
    async (word, env) => {
      const campaign = {
        ...{
          id: 'campaign_1',
          name: 'N',
          from: 'hello@example.com',
          subject: 'S',
          html: '<p>{{usesend_unsubscribe_url}}</p>',
        },
        ...{ contactBookId: 'book_1', status: word === 'resume' ? 'PAUSED' : 'DRAFT' },
      };
      const answers = Array.from({ length: 10 }, () => ({ body: campaign }));
      const setup = await connected(...answers);
      const now = word === 'schedule' ? ' --now' : '';
      const line = `campaign ${word} campaign_1${now} --yes --json`;
      expect(errorOf(await setup.run(line, { env }))).toMatchObject({
        code: 'policy',
        message: expect.stringContaining(
          'cannot be checked: the service does not show who gets copies',
        ),
      });
      expect(setup.service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );

  test.each<[Env, string]>([
    [{ MAILER_ALLOW_FROM: '*@example.org' }, 'allow-from'],
    [{ MAILER_REDIRECT_TO: 'me@example.org' }, 'redirect-to'],
  ])('%o refuses to reschedule an email', async (env, rule) => {
    const shown = { id: 'email_1', to: [email.to], from: email.from, emailEvents: [] };
    const { run } = await connected({ body: shown });
    const line = 'email reschedule email_1 --scheduled-at 2027-01-01T00:00:00Z --json';
    expect(errorOf(await run(line, { env }))).toMatchObject({ rule });
  });

  test('count once for a message that becomes several emails', async () => {
    const { run, requests } = await connected(accepted, accepted);
    const stdin = 'From: hello@example.com\nSubject: Hi\nMessage-ID: <1@example.com>\n\nHi\n';
    const line = 'sendmail a@example.com b@example.com';
    const env = { MAILER_MAX_RECIPIENTS: '2' };
    expect(await run(line, { env, stdin })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests()).toHaveLength(2);
  });

  test('an empty deny-to is no rule', async () => {
    const body = { any: 'thing' };
    expect(await outcomeOf({ MAILER_DENY_TO: '' }, body, { path: '/v1/other' })).toEqual(body);
  });

  test('a header for bounces is refused', async () => {
    const headers = { 'Return-Path': 'b@example.org' };
    expect(await outcomeOf(allow, { ...email, headers })).toMatchObject(refusedBy('allow-to'));
  });
});

describe('a redirect', () => {
  const env = { MAILER_REDIRECT_TO: 'me@example.org' };
  const redirectedFor = (addresses: string) => ({ 'X-Mailer-Redirected-For': addresses });

  test.each([
    [{ to: ['me@example.org', 'a@example.com'] }, 'me@example.org, a@example.com'],
    [{ to: 'me@example.com' }, 'me@example.com'],
    [{ to: 'you@example.org' }, 'you@example.org'],
  ])('%o is redirected', async (fields, addresses) => {
    expect(await outcomeOf(env, { ...email, ...fields })).toMatchObject({
      to: 'me@example.org',
      headers: redirectedFor(addresses),
    });
  });

  test('keeps other headers, and replaces its own', async () => {
    const headers = { 'x-mailer-redirected-for': 'nobody', 'X-A': '1' };
    expect(await outcomeOf(env, { ...email, headers })).toMatchObject({
      headers: { 'X-A': '1', ...redirectedFor('a@example.com') },
    });
    const sent = await outcomeOf(env, { ...email, headers });
    expect(JSON.stringify(sent)).not.toContain('nobody');
  });

  test('names no more than twenty recipients', async () => {
    const to = Array.from({ length: 25 }, (_, index) => `a${index}@example.com`);
    const named = `${to.slice(0, 20).join(', ')}, and 5 more`;
    expect(await outcomeOf(env, { ...email, to })).toMatchObject({ headers: redirectedFor(named) });
  });

  test.each([
    ['one', 'one-redirected'],
    ['one-redirected', 'one-redirected'],
    ['x'.repeat(250), expect.stringMatching(/^[\da-f]{64}-redirected$/)],
  ])('has a key of its own, of any length: %s', async (key, expected) => {
    const { run, service } = await connected(accepted);
    const line = `email send --to a@example.com --from ${email.from} --subject Hi --text x`;
    await run(`${line} --idempotency-key ${key}`, { env });
    expect(service.requests[0]?.headers['idempotency-key']).toEqual(expected);
  });
});

describe('a campaign', () => {
  const path = '/v1/campaigns';
  const draft = {
    ...{ name: 'N', from: 'hello@example.com', subject: 'S', contactBookId: 'book_1' },
    html: '{{unsend_unsubscribe_url}}',
  };
  const book = (fields: object = {}) => ({ body: { id: 'book_1', name: 'B', ...fields } });
  const contacts = (...emails: readonly string[]) => ({
    body: emails.map((one, index) => ({ id: `contact_${index}`, email: one })),
  });
  const allow = { MAILER_ALLOW_TO: '*@example.com' };

  test('a draft is refused for its copies and its sender', async () => {
    const copy = { ...draft, cc: 'b@example.org' };
    expect(await outcomeOf(allow, copy, { path })).toMatchObject(
      refusedBy('allow-to', 'b@example.org'),
    );
    const env = { MAILER_ALLOW_FROM: '*@example.org' };
    expect(await outcomeOf(env, draft, { path })).toMatchObject({
      refusal: { rule: 'allow-from' },
    });
    expect(await outcomeOf(allow, draft, { path })).toEqual(draft);
  });

  test('one that is scheduled is refused for its book', async () => {
    const found = [book({ _count: { contacts: 1 } }), contacts('b@example.org')];
    const scheduled = { ...draft, scheduledAt: '2027-01-01T00:00:00Z' };
    expect(await outcomeOf(allow, scheduled, { path, found })).toMatchObject(
      refusedBy('allow-to', 'b@example.org'),
    );
  });

  test('a book that may have more contacts than a service lists is not checked', async () => {
    const all = Array.from({ length: 5000 }, (_, index) => `a${index}@example.com`);
    const found = [book(), contacts(...all)];
    const now = { ...draft, sendNow: true };
    expect(await outcomeOf(allow, now, { path, found })).toMatchObject(refusedBy('allow-to'));
  });

  test('whose sender is not shown is refused by allow-from', async () => {
    const env = { MAILER_ALLOW_FROM: '*@example.com' };
    const found = [{ body: { id: 'campaign_1', contactBookId: 'book_1', name: 'N' } }];
    const start = { path: '/v1/campaigns/campaign_1/resume', found };
    expect(await outcomeOf(env, {}, start)).toMatchObject(refusedBy('allow-from'));
  });
});

describe('a contact who is asked to confirm', () => {
  const path = '/v1/contactBooks/book_1/contacts';
  const book = (fields: object) => [{ body: { id: 'book_1', name: 'B', ...fields } }];
  const asking = book({ doubleOptInEnabled: true, doubleOptInFrom: 'hello@example.com' });
  const contact = { email: 'b@example.org' };

  test.each<[Env, string]>([
    [{ MAILER_ALLOW_TO: '*@example.com' }, 'allow-to'],
    [{ MAILER_ALLOW_FROM: 'x@example.com' }, 'allow-from'],
    [{ MAILER_MAX_RECIPIENTS: '0' }, 'max-recipients'],
    [{ MAILER_MAX_PER_DAY: '0' }, 'max-per-day'],
    [{ MAILER_REDIRECT_TO: 'me@example.org' }, 'redirect-to'],
  ])('is refused under %o', async (env, rule) => {
    const outcome = await outcomeOf(env, contact, { path, found: asking });
    expect(outcome).toMatchObject({ refusal: { rule } });
  });

  test('is refused if the service does not report double opt-in, and without an address', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const wanted = { refusal: { rule: 'allow-to' } };
    const unclear = { path, found: book({}) };
    expect(await outcomeOf(env, contact, unclear)).toMatchObject(wanted);
    const unnamed = { firstName: 'Ana' };
    expect(await outcomeOf(env, unnamed, { path, found: asking })).toMatchObject(wanted);
  });
});

describe('an event', () => {
  const path = '/v1/events/send';

  test('that names two contacts is refused', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const both = { name: 'x', email: 'a@example.com', contactId: 'c', contactBookId: 'b' };
    expect(await outcomeOf(env, both, { path })).toMatchObject(refusedBy('allow-to'));
  });

  test.each([{ MAILER_ALLOW_FROM: '*@*' }, { MAILER_REDIRECT_TO: 'a@example.com' }])(
    'cannot be checked under %o',
    async (env) => {
      const outcome = await outcomeOf(env, { name: 'x', email: 'a@example.com' }, { path });
      expect(outcome).toMatchObject({ refusal: { code: 'policy' } });
    },
  );

  test('counts, beside a rule that allows its contact', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com', MAILER_MAX_PER_DAY: '0' };
    const event = { name: 'x', email: 'a@example.com' };
    expect(await outcomeOf(env, event, { path })).toMatchObject(refusedBy('max-per-day'));
  });
});

describe('a limit for a day', () => {
  const words = `email send --to a@example.com --from ${email.from} --subject Hi --text x`;

  test('counts a key once for each service', async () => {
    const [one, other] = [await connected(accepted), await connected(accepted)];
    const send = async (limit: string, env: Env) =>
      await one.run(`${words} --idempotency-key one`, {
        env: { MAILER_MAX_PER_DAY: limit, ...env },
      });
    const elsewhere = { MAILER_BASE_URL: other.service.baseUrl };
    expect((await send('1', {})).exitCode).toBe(0);
    expect((await send('1', elsewhere)).exitCode).toBe(2);
    expect((await send('2', elsewhere)).exitCode).toBe(0);
  });

  test('counts a key once for each profile', async () => {
    const { service } = await connected(accepted, accepted);
    const profile = { baseUrl: service.baseUrl, apiKey: key };
    const world = await worldWith({ work: profile, home: profile }, 'work');
    const send = async (name: string) =>
      await world.run(`${words} --idempotency-key one --profile ${name}`, {
        env: { MAILER_MAX_PER_DAY: '1' },
      });
    expect((await send('work')).exitCode).toBe(0);
    expect((await send('home')).exitCode).toBe(2);
  });

  test('does not count what could not be sent', async () => {
    const { run } = await connected(accepted);
    const env = { MAILER_MAX_PER_DAY: '1' };
    const nowhere = { ...env, MAILER_BASE_URL: 'http://127.0.0.1:1' };
    expect((await run(`${words} --retries 0`, { env: nowhere })).exitCode).toBe(7);
    expect((await run(words, { env })).exitCode).toBe(0);
  });

  test('refuses a dry run, too', async () => {
    const { run } = await connected();
    const outcome = await run(`${words} --dry-run`, { env: { MAILER_MAX_PER_DAY: '0' } });
    expect(outcome.exitCode).toBe(2);
  });
});
