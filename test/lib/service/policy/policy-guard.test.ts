import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answer, startRecorder } from '../../../support/recorder.ts';
import { createWorld, type Outcome, type World } from '../../../support/run.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

const content = '--from hello@example.com --subject Hi --text Hello';
const accepted: Answer = { body: { emailId: 'email_1' } };
const key = 'us_test_1234567890abcdef';

/** A service with these responses, and a machine with its account in the environment. */
async function connected(...answers: readonly Answer[]) {
  const recorder = await startRecorder(...answers);
  const world = createWorld({ MAILER_BASE_URL: recorder.baseUrl, MAILER_API_KEY: key });
  return { recorder, world };
}

function project(world: World, content: unknown, directory = ''): void {
  mkdirSync(join(world.home, directory), { recursive: true });
  writeFileSync(join(world.home, directory, '.mailer.json'), JSON.stringify(content));
}

function errorIn({ stderr }: Outcome): Record<string, unknown> {
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error;
}

/** Runs a command line that the policy forbids, and returns the error. Only reading requests may be sent. */
async function refused(line: string, env: Record<string, string>, ...answers: readonly Answer[]) {
  const { recorder, world } = await connected(...answers);
  const outcome = await world.run(`${line} --json`, { env });
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(recorder.requests.map(({ method }) => method).filter((one) => one !== 'GET')).toEqual([]);
  expect(recorder.requests).toHaveLength(answers.length);
  return errorIn(outcome);
}

describe('an email', () => {
  test('to somebody who is not allowed is refused before anything is sent', async () => {
    const line = `email send --to ana@example.com --cc Ben<ben@example.org> ${content}`;
    expect(await refused(line, { MAILER_ALLOW_TO: '*@example.com, x@y.org' })).toEqual({
      code: 'policy',
      message: 'ben@example.org: allow-to in MAILER_ALLOW_TO does not allow this.',
      rule: 'allow-to',
      place: 'MAILER_ALLOW_TO',
      addresses: ['ben@example.org'],
      hint: 'Nothing was sent. To see all rules: mailer policy show',
      next: ['mailer', 'policy', 'show'],
    });
  });

  test.each([
    [{ MAILER_ALLOW_TO: '' }, 'allow-to', ['ana@example.com']],
    [{ MAILER_ALLOW_TO: 'ben@example.com' }, 'allow-to', ['ana@example.com']],
    [{ MAILER_DENY_TO: '*@example.com' }, 'deny-to', ['ana@example.com']],
    [{ MAILER_ALLOW_FROM: '' }, 'allow-from', ['hello@example.com']],
    [{ MAILER_MAX_RECIPIENTS: '0' }, 'max-recipients', []],
    [{ MAILER_MAX_PER_DAY: '0' }, 'max-per-day', []],
    [
      { MAILER_REDIRECT_TO: 'me@x.org', MAILER_ALLOW_TO: '*@example.com' },
      'allow-to',
      ['me@x.org'],
    ],
  ])('is refused under %o', async (env, rule, addresses) => {
    const error = await refused(`email send --to ana@example.com ${content}`, env);
    expect(error).toMatchObject({ code: 'policy', rule, addresses });
  });

  test.each([
    [{ MAILER_ALLOW_TO: 'example.com' }, 'is neither an email address nor a pattern'],
    [{ MAILER_REDIRECT_TO: '' }, 'MAILER_REDIRECT_TO is empty'],
    [{ MAILER_MAX_PER_DAY: ' ' }, 'MAILER_MAX_PER_DAY is empty'],
    [{ MAILER_MAX_RECIPIENTS: 'ten' }, 'MAILER_MAX_RECIPIENTS: "ten" is not a whole number'],
    [{ MAILER_CAMPAIGNS: 'no' }, 'MAILER_CAMPAIGNS: "no" is not one of on, off'],
    [{ MAILER_REDIRECT_TO: '"a"@x.org' }, 'is not an email address'],
  ])('is not sent under %o, which is invalid', async (env, message) => {
    const error = await refused(`email send --to ana@example.com ${content}`, env);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
  });

  test('must be allowed by every place, whatever is nested', async () => {
    const { recorder, world } = await connected(accepted);
    project(world, { policy: { allowTo: ['*@example.com', '*@example.org'] } });
    const send = async (to: string, env = {}) =>
      await world.run(`email send --to ${to} ${content} --json`, { env });
    const narrow = { MAILER_ALLOW_TO: '*@example.com,*@example.net' };
    expect(errorIn(await send('a@example.net', narrow))).toMatchObject({
      place: join(world.home, '.mailer.json'),
    });
    expect(errorIn(await send('a@example.org', narrow))).toMatchObject({
      place: 'MAILER_ALLOW_TO',
    });
    expect(recorder.requests).toEqual([]);
    expect(await send('a@example.com', narrow)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    'X-MC-BccAddress',
    'x-smtpapi',
    'X-MSYS-API',
    'X-Mailgun-Recipient-Variables',
    'X-SES-FROM-ARN',
    'Disposition-Notification-To',
    'Return-Receipt-To',
    'X-Confirm-Reading-To',
    'Errors-To',
  ])('with a header %s, by which other people may get mail, is refused', async (header) => {
    const words = ['email', 'send', '--to', 'ana@example.com', ...content.split(' ')];
    const line = [...words, '--header', `${header}: eve@example.org`, '--json'];
    const { recorder, world } = await connected();
    const outcome = await world.run(line, { env: { MAILER_ALLOW_TO: '*@example.com' } });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome)).toMatchObject({
      code: 'policy',
      message: `allow-to in MAILER_ALLOW_TO cannot be checked: the header ${header} may change recipients or sender.`,
    });
    expect(recorder.requests).toEqual([]);
  });

  test.each(['In-Reply-To', 'List-Unsubscribe', 'X-MC-Tags', 'X-Assigned-To'])(
    'may have a header %s',
    async (header) => {
      const { world } = await connected(accepted);
      const words = ['email', 'send', '--to', 'ana@example.com', ...content.split(' ')];
      const env = { MAILER_ALLOW_TO: '*@example.com' };
      const outcome = await world.run([...words, '--header', `${header}: <a@example.com>`], {
        env,
      });
      expect(outcome).toMatchObject({ exitCode: 0 });
    },
  );

  test('that is redirected has a key of its own, whatever the length of the key', async () => {
    const { recorder, world } = await connected(accepted, accepted, accepted);
    const line = `email send --to ana@example.com ${content} --idempotency-key`;
    const env = { MAILER_REDIRECT_TO: 'me@example.org' };
    const keys = ['a'.repeat(245), 'a'.repeat(246), 'a'.repeat(256)];
    for (const key of keys)
      expect(await world.run(`${line} ${key}`, { env })).toMatchObject({ exitCode: 0 });
    const sent = recorder.requests.map(({ headers }) => String(headers['idempotency-key']));
    expect(sent[0]).toBe(`${keys[0]}-redirected`);
    expect(sent.slice(1)).toEqual([
      expect.stringMatching(/^[\da-f]{64}-redirected$/),
      expect.stringMatching(/^[\da-f]{64}-redirected$/),
    ]);
    expect(new Set(sent).size).toBe(3);
  });

  test('is not sent beside an invalid project file', async () => {
    const { recorder, world } = await connected();
    project(world, { policy: { alowTo: [] } });
    const outcome = await world.run(`email send --to ana@example.com ${content}`);
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('.mailer.json') });
    expect(recorder.requests).toEqual([]);
  });

  test('is not redirected by a file that somebody else may change', async () => {
    const { recorder, world } = await connected();
    project(world, { policy: { redirectTo: 'eve@example.org' } });
    chmodSync(join(world.home, '.mailer.json'), 0o666);
    const outcome = await world.run(`email send --to ana@example.com ${content}`);
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('redirects') });
    expect(recorder.requests).toEqual([]);
  });

  test('goes to the address of a redirect, which says whom it was for', async () => {
    const { recorder, world } = await connected(accepted, accepted);
    const env = { MAILER_REDIRECT_TO: 'Me <me@example.org>' };
    const line = `email send --to Ana<ana@example.com> --cc b@x.org --bcc c@x.org ${content} --idempotency-key one`;
    expect(await world.run(line, { env })).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(recorder.requests[0]?.body ?? '')).toEqual({
      to: 'Me <me@example.org>',
      from: 'hello@example.com',
      subject: '[to ana@example.com, b@x.org, and 1 more] Hi',
      text: 'Hello',
      headers: { 'X-Mailer-Redirected-For': 'ana@example.com, b@x.org, c@x.org' },
    });
    expect(recorder.requests[0]?.headers['idempotency-key']).toBe('one-redirected');
    // An email that is to that address anyway stays unmodified.
    await world.run(`email send --to me@example.org ${content} --idempotency-key two`, { env });
    expect(JSON.parse(recorder.requests[1]?.body ?? '')).toMatchObject({ subject: 'Hi' });
    expect(recorder.requests[1]?.headers['idempotency-key']).toBe('two');
  });

  test('is shown by --preview as the policy changes it', async () => {
    const world = createWorld();
    const line = `email send --to ana@example.com ${content} --preview --json`;
    const env = { MAILER_REDIRECT_TO: 'me@example.org' };
    expect(JSON.parse((await world.run(line, { env })).stdout)).toMatchObject({
      to: 'me@example.org',
      subject: '[to ana@example.com] Hi',
    });
    expect(errorIn(await world.run(line, { env: { MAILER_ALLOW_TO: '' } }))).toMatchObject({
      code: 'policy',
      rule: 'allow-to',
    });
  });

  test('is not sent when two places redirect it differently', async () => {
    const { recorder, world } = await connected();
    project(world, { policy: { redirectTo: 'a@example.org' } });
    const env = { MAILER_REDIRECT_TO: 'b@example.org' };
    const outcome = await world.run(`email send --to x@y.org ${content} --json`, { env });
    expect(errorIn(outcome)).toMatchObject({ code: 'policy', rule: 'redirect-to' });
    expect(recorder.requests).toEqual([]);
  });
});

describe('a limit for a day', () => {
  const day = { MAILER_MAX_PER_DAY: '2' };
  const line = `email send --to ana@example.com ${content}`;

  test('counts each recipient once, also over a retry, until the day is over', async () => {
    const { recorder, world } = await connected(accepted, accepted, accepted, accepted);
    const send = async (more: string) =>
      (await world.run(`${line} ${more}`, { env: day })).exitCode;
    expect(await send('--idempotency-key one')).toBe(0);
    expect(await send('--idempotency-key one')).toBe(0);
    expect(await send('--cc ben@example.com')).toBe(2);
    expect(await send('--idempotency-key two')).toBe(0);
    expect(await send('')).toBe(2);
    const directory = join(world.home, '.local', 'state', 'mailer', 'mailed');
    expect(readdirSync(directory)).toEqual(['mailed.sqlite']);
    expect(statSync(join(directory, 'mailed.sqlite')).mode & 0o777).toBe(0o600);
    world.clock.advance(24 * 60 * 60 * 1000);
    expect(await send('')).toBe(0);
    expect(recorder.requests).toHaveLength(4);
  });

  test('when reached, reports how many were mailed', async () => {
    const { world } = await connected(accepted);
    const env = { MAILER_MAX_PER_DAY: '1' };
    expect(await world.run(line, { env })).toMatchObject({ exitCode: 0 });
    const { stderr } = await world.run(`${line} --idempotency-key two`, { env });
    expect(stderr).toContain(
      'allows 1 recipient per day (UTC); 1 was mailed today, so 1 more is too many.',
    );
  });

  test('when reached, allows repeating an email, but no other email under its key', async () => {
    const lost: Answer = (response) => response.destroy();
    const { recorder, world } = await connected(lost, accepted);
    const send = async (more: string) =>
      (
        await world.run(`${line} --cc c@x.org --retries 0 --idempotency-key one ${more}`, {
          env: day,
        })
      ).exitCode;
    expect(await send('')).toBe(7);
    expect(await send('--bcc b@x.org')).toBe(2);
    expect(await send('')).toBe(0);
    expect(recorder.requests).toHaveLength(2);
  });

  test('when reached, allows resuming the run that reached it', async () => {
    const { recorder, world } = await connected({ status: 503 }, accepted);
    writeFileSync(join(world.home, 'people.csv'), 'to\na@example.com\nb@example.com\n');
    const batch = `email batch people.csv ${content} --yes --retries 0`;
    expect(await world.run(batch, { env: day })).toMatchObject({ exitCode: 7 });
    await world.run(batch, { env: day });
    expect(recorder.requests).toHaveLength(2);
  });

  test('does not count what was certainly not sent, but counts what may have been', async () => {
    const rejected: Answer = {
      status: 400,
      body: { error: { code: 'BAD_REQUEST', message: 'x' } },
    };
    const lost: Answer = (response) => response.destroy();
    // After a rejection, the program reads the sender's domain.
    const { world } = await connected(rejected, { body: [] }, lost, lost, accepted);
    const send = async () => {
      // The idempotency key depends on the time.
      world.clock.advance(1000);
      return (await world.run(`${line} --retries 0`, { env: day })).exitCode;
    };
    expect(await send()).toBe(1);
    expect(await send()).toBe(7);
    expect(await send()).toBe(7);
    expect(await send()).toBe(2);
  });

  test('sends nothing when the count cannot be read', async () => {
    const { recorder, world } = await connected();
    const directory = join(world.home, '.local', 'state', 'mailer', 'mailed');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'mailed.sqlite'), 'no database');
    chmodSync(join(directory, 'mailed.sqlite'), 0o600);
    const outcome = await world.run(line, { env: day });
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('cannot be used'),
    });
    expect(recorder.requests).toEqual([]);
  });

  test('of a profile counts for that profile alone', async () => {
    const recorder = await startRecorder(accepted, accepted);
    const profile = { baseUrl: recorder.baseUrl, apiKey: key };
    const world = await worldWith(
      {
        work: { ...profile, policy: { maxPerDay: 1 } },
        home: { ...profile, policy: { maxPerDay: 1 } },
      },
      'work',
    );
    const send = async (name: string) => {
      world.clock.advance(1000);
      return (await world.run(`${line} --profile ${name}`)).exitCode;
    };
    expect([await send('work'), await send('work'), await send('home')]).toEqual([0, 2, 0]);
    expect(recorder.requests).toHaveLength(2);
  });
});

describe('a campaign', () => {
  const shown = { id: 'campaign_1', from: 'hello@example.com', cc: [], bcc: [] };
  const campaign = { body: { ...shown, contactBookId: 'book_1', name: 'March' } };
  const book = (contacts: number, doubleOptInEnabled = false) => ({
    body: { id: 'book_1', name: 'Book', doubleOptInEnabled, _count: { contacts } },
  });
  const contacts = (...emails: readonly string[]) => ({
    body: emails.map((email, index) => ({ id: `contact_${index}`, email })),
  });
  const schedule = 'campaign schedule campaign_1 --yes --literal --allow-blank --again --now';
  const html = '--html {{unsend_unsubscribe_url}}';
  const create = `campaign create --allow-duplicate --name N --from hello@example.com --subject S --book book_1 ${html}`;

  test.each([
    [schedule],
    ['campaign resume campaign_1 --yes --literal --allow-blank --again'],
    [`${create} --now --yes`],
    [create],
  ])('is refused when campaigns are off: %s', async (line) => {
    const error = await refused(line, { MAILER_CAMPAIGNS: 'off' });
    expect(error).toMatchObject({ code: 'policy', rule: 'campaigns', place: 'MAILER_CAMPAIGNS' });
  });

  test('is refused when a contact of its book is not allowed', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const answers = [campaign, book(2), contacts('a@example.com', 'b@example.org')];
    const wanted = { rule: 'allow-to', addresses: ['b@example.org'] };
    expect(await refused(schedule, env, ...answers)).toMatchObject(wanted);
    expect(
      await refused(
        'campaign resume campaign_1 --yes --literal --allow-blank --again',
        env,
        ...answers,
      ),
    ).toMatchObject(wanted);
    expect(await refused(`${create} --now --yes`, env, ...answers.slice(1))).toMatchObject(wanted);
  });

  test.each([
    ['a book that is not listed whole', [campaign, book(3), contacts('a@example.com')]],
    ['a service that shows no campaigns', [{ status: 404, body: '404 Not Found' }]],
    ['a campaign without a book', [{ body: shown }]],
  ])('is refused for %s', async (_, answers) => {
    const { recorder, world } = await connected(...answers);
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const outcome = await world.run(`${schedule} --json`, { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome)).toMatchObject({ code: 'policy', rule: 'allow-to' });
    expect(recorder.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('counts its whole book, and the copies', async () => {
    const withCopy = { body: { ...campaign.body, cc: 'boss@example.com' } };
    expect(
      await refused(schedule, { MAILER_MAX_RECIPIENTS: '5' }, withCopy, book(3)),
    ).toMatchObject({ rule: 'max-recipients', message: expect.stringContaining('not 6') });
  });

  test('cannot be redirected', async () => {
    const env = { MAILER_REDIRECT_TO: 'me@example.org' };
    expect(await refused(schedule, env, campaign)).toMatchObject({ rule: 'redirect-to' });
  });

  test('starts when everybody is allowed', async () => {
    const { recorder, world } = await connected(campaign, book(1), contacts('a@example.com'), {
      body: { success: true },
    });
    const env = { MAILER_ALLOW_TO: '*@example.com', MAILER_MAX_PER_DAY: '1' };
    expect(await world.run(schedule, { env })).toMatchObject({ exitCode: 0 });
    expect(recorder.requests.at(-1)).toMatchObject({ method: 'POST' });
  });

  test('has a book that, with double opt-in, gets only allowed contacts', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const add = 'api POST /v1/contactBooks/book_1/contacts -f email=b@example.org';
    expect(await refused(add, env, book(0, true))).toMatchObject({
      rule: 'allow-to',
      addresses: ['b@example.org'],
    });
    const { recorder, world } = await connected(book(0, false), { body: { contactId: 'c_1' } });
    expect(await world.run(add, { env })).toMatchObject({ exitCode: 0 });
    expect(recorder.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});

describe('an event', () => {
  const line = 'event send joined --contact contact_1';
  const contact = { body: { id: 'contact_1', email: 'ana@example.com' } };
  const sent = { body: { contactId: 'contact_1' } };

  test('about an id needs the book, where the address is looked up', async () => {
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    expect(await refused(line, env)).toMatchObject({
      rule: 'allow-to',
      message:
        'allow-to in MAILER_ALLOW_TO cannot be checked: the event has only the id of a contact; to look up its address, add --book.',
    });
    const { recorder, world } = await connected(contact, contact, sent);
    const outcome = await world.run(`${line} --book book_1`, { env });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(recorder.requests.map(({ method }) => method).at(-1)).toBe('POST');
  });

  test('needs no address for a limit, which counts it', async () => {
    const { recorder, world } = await connected(sent, sent);
    const env = { MAILER_MAX_PER_DAY: '1' };
    expect(await world.run(line, { env })).toMatchObject({ exitCode: 0 });
    world.clock.advance(1000);
    expect(await world.run(line, { env })).toMatchObject({ exitCode: 2 });
    expect(recorder.requests).toHaveLength(1);
  });
});

describe('api', () => {
  const env = { MAILER_ALLOW_TO: '*@example.com' };
  const email = { to: 'a@example.com', from: 'hello@example.com', subject: 'Hi', text: 'x' };
  const send = async (path: string, body: string) => {
    const { recorder, world } = await connected(accepted, accepted);
    const outcome = await world.run(['api', 'POST', path, '--input', '-', '--json'], {
      env,
      stdin: body,
    });
    return { outcome, sent: recorder.requests };
  };

  test.each([
    ['another recipient', '/v1/emails', { ...email, to: 'b@example.org' }],
    ['another path to it', '/V1/%65mails/', { ...email, to: 'b@example.org' }],
    ['a copy', '/v1/emails', { ...email, bcc: ['b@example.org'] }],
    ['a batch', '/v1/emails/batch', [email, { ...email, to: 'b@example.org' }]],
    [
      'a field that mailer does not know',
      '/v1/emails',
      { ...email, recipients: ['b@example.org'] },
    ],
    ['a header with a copy', '/v1/emails', { ...email, headers: { 'Resent-To': 'b@example.org' } }],
    ['a line break', '/v1/emails', { ...email, subject: 'Hi\r\nBcc: b@example.org' }],
    ['a line break in a header', '/v1/emails', { ...email, headers: { A: 'x\nBcc: b@x.org' } }],
    ['two addresses in one', '/v1/emails', { ...email, to: 'a@example.com, b@example.org' }],
    ['what is no email', '/v1/emails', 5],
    ['a list in place of an email', '/v1/emails', [email]],
    ['a path that mailer does not know', '/v1/other', email],
    ['an event', '/v1/events/send', { name: 'x', email: 'b@example.org' }],
    [
      'a field of an event that mailer does not know',
      '/v1/events/send',
      { name: 'x', email: 'a@example.com', to: 'b@example.org' },
    ],
    ['an event about somebody', '/v1/events/send', { name: 'x', contactId: 'c' }],
  ])('is refused with %s', async (_, path, body) => {
    const { outcome, sent } = await send(path, JSON.stringify(body));
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(errorIn(outcome)).toMatchObject({ code: 'policy', rule: 'allow-to' });
    expect(sent).toEqual([]);
  });

  const address = 'a@example.com';
  const draft = { name: 'N', from: 'hello@example.com', subject: 'S', content: '{}' };
  test.each([
    ['/v1/emails', email],
    ['/v1/campaigns', { cc: address, ...draft, contactBookId: 'book_1' }],
    ['/v1/contactBooks/book_1/contacts', { email: address }],
    ['/v1/events/send', { email: address, name: 'x' }],
  ])('sends to %s what was checked, whatever the body has twice', async (path, body) => {
    const [field] = Object.keys(body);
    const twice = `{"${field}":"b@example.org",${JSON.stringify(body).slice(1)}`;
    const { outcome, sent } = await send(path, twice);
    expect(outcome.exitCode).toBe(0);
    expect(sent.map((one) => one.body)).toEqual([JSON.stringify(body)]);
  });

  test('is unchanged without a policy', async () => {
    const { recorder, world } = await connected(accepted);
    const body = '{ "to": 1.50, "to": "x" }';
    await world.run(['api', 'POST', '/v1/other', '--input', '-'], { stdin: body });
    expect(recorder.requests[0]?.body).toBe(body);
  });
});

describe('an email that is rescheduled', () => {
  const line = 'email reschedule email_1 --scheduled-at 2027-01-01T00:00:00Z';
  const shown = (to: unknown) => ({
    body: { id: 'email_1', to, from: 'hello@example.com', emailEvents: [] },
  });

  test.each([[['b@example.org']], [[]], [undefined]])('is refused to %o', async (to) => {
    const { recorder, world } = await connected(shown(to));
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    const outcome = await world.run(`${line} --json`, { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome)).toMatchObject({ code: 'policy' });
    expect(recorder.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('a dry run', () => {
  const line = `email send --to ana@example.com ${content} --dry-run`;

  test('shows what the policy makes of the request, and its digest', async () => {
    const world = createWorld();
    const env = { MAILER_REDIRECT_TO: 'me@example.org' };
    const document = JSON.parse((await world.run(`${line} --json`, { env })).stdout);
    expect(document).toMatchObject({
      body: { to: 'me@example.org' },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      policy: {
        places: ['MAILER_REDIRECT_TO'],
        redirectedFor: ['ana@example.com'],
        unchecked: null,
        approval: null,
      },
    });
    expect((await world.run(line, { env })).stderr).toContain(
      'The policy allows this (MAILER_REDIRECT_TO).\nRedirected; it was for ana@example.com.\n',
    );
    expect(await world.run(line, { env: { MAILER_ALLOW_TO: '' } })).toMatchObject({ exitCode: 2 });
  });

  test('has a digest that only the same request has', async () => {
    const { recorder, world } = await connected(accepted, accepted);
    const digestOf = async (words: string, env = {}) => {
      const { stdout } = await world.run(`${words} --dry-run --json`, { env });
      return (JSON.parse(stdout) as { digest: string }).digest;
    };
    const send = `email send --to ana@example.com ${content}`;
    const digest = await digestOf(send);
    expect(await digestOf(send)).toBe(digest);
    expect(await digestOf(`${send} --cc b@x.org`)).not.toBe(digest);
    expect(await digestOf(send, { MAILER_REDIRECT_TO: 'b@x.org' })).not.toBe(digest);
    expect(await digestOf(send, { MAILER_BASE_URL: 'https://other.example.com/api' })).not.toBe(
      digest,
    );
    const other = await world.run(`${send} --cc b@x.org --expect ${digest} --json`);
    expect(other.exitCode).toBe(2);
    expect(errorIn(other)).toMatchObject({
      code: 'policy',
      message: expect.stringContaining(`not ${digest}`),
    });
    expect(recorder.requests).toEqual([]);
    expect(await world.run(`${send} --expect ${digest}`)).toMatchObject({ exitCode: 0 });
    await world.run(`${send} --expect ${digest}`);
    expect(recorder.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      digest,
      digest,
    ]);
  });
});
