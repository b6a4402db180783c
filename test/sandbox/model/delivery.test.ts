import { describe, expect, test } from 'vitest';
import { email, second, startSandbox } from '../harness.ts';

type Sandbox = ReturnType<typeof startSandbox>;

/** An email's history by time, as `status seconds-after-the-start`. */
async function history({ ok }: Sandbox, emailId: string) {
  const { emailEvents } = await ok('email.get', { params: { emailId } });
  return emailEvents
    .map((event) => ({ ...event, at: Date.parse(event.createdAt) }))
    .sort((a, b) => a.at - b.at)
    .map(({ status, at }) => `${status} ${(at - Date.parse('2026-01-31T12:00:00Z')) / second}`);
}

async function latestStatus({ ok }: Sandbox, emailId: string) {
  const { data } = await ok('email.list', { query: {} });
  return data.find(({ id }) => id === emailId)?.latestStatus;
}

describe('the outcome of a message, by its recipient', () => {
  test.each([
    ['delivered', ['SENT 0.3', 'DELIVERED 1'], 'DELIVERED'],
    ['opened', ['SENT 0.3', 'DELIVERED 1', 'OPENED 2'], 'OPENED'],
    ['clicked', ['SENT 0.3', 'DELIVERED 1', 'OPENED 2', 'CLICKED 3'], 'CLICKED'],
    ['bounced', ['SENT 0.3', 'BOUNCED 1'], 'BOUNCED'],
    ['complained', ['SENT 0.3', 'DELIVERED 1', 'COMPLAINED 2'], 'COMPLAINED'],
    ['delayed', ['SENT 0.3', 'DELIVERY_DELAYED 1', 'DELIVERED 4'], 'DELIVERED'],
    ['greylisted', ['SENT 0.3', 'DELIVERY_DELAYED 1', 'DELIVERED 4'], 'DELIVERED'],
    ['transient', ['SENT 0.3', 'BOUNCED 1'], 'BOUNCED'],
    ['full', ['SENT 0.3', 'BOUNCED 1'], 'BOUNCED'],
    ['blocked', ['SENT 0.3', 'BOUNCED 1'], 'BOUNCED'],
    ['late-bounce', ['SENT 0.3', 'DELIVERED 1', 'BOUNCED 6'], 'BOUNCED'],
    ['rejected', ['SENT 0.3', 'REJECTED 0.6'], 'REJECTED'],
    ['failed', ['FAILED 0.3'], 'FAILED'],
    ['suppressed', ['SUPPRESSED 0'], 'SUPPRESSED'],
    ['somebody', ['SENT 0.3', 'DELIVERED 1'], 'DELIVERED'],
    ['constructor', ['SENT 0.3', 'DELIVERED 1'], 'DELIVERED'],
    ['Bounced+tag', ['SENT 0.3', 'BOUNCED 1'], 'BOUNCED'],
  ])('%s', async (name, events, status) => {
    const sandbox = startSandbox();
    const { emailId } = await sandbox.ok('email.send', { body: email({ to: `${name}@a.test` }) });
    sandbox.advance(10 * second);
    expect(await history(sandbox, emailId)).toEqual(events);
    expect(await latestStatus(sandbox, emailId)).toBe(status);
  });

  test('events come as time passes', async () => {
    const sandbox = startSandbox();
    const { emailId } = await sandbox.ok('email.send', { body: email({ to: 'clicked@a.test' }) });
    const seen = [];
    for (let step = 0; step < 4; step++) {
      seen.push(
        `${await latestStatus(sandbox, emailId)} ${(await history(sandbox, emailId)).length}`,
      );
      sandbox.advance(step === 0 ? 300 : second);
    }
    expect(seen).toEqual(['QUEUED 0', 'SENT 1', 'DELIVERED 2', 'OPENED 3']);
  });
});

describe('a bounce', () => {
  test.each([
    ['bounced', 'Permanent', 'General', '5.1.1', 'SUPPRESSED'],
    ['late-bounce', 'Permanent', 'General', '5.1.1', 'SUPPRESSED'],
    ['transient', 'Transient', 'General', '4.4.1', 'BOUNCED'],
    ['full', 'Transient', 'MailboxFull', '4.2.2', 'BOUNCED'],
    ['blocked', 'Transient', 'ContentRejected', '5.7.1', 'BOUNCED'],
  ])('of %s@ is %s, %s, %s; the next email is %s', async (name, type, subType, code, next) => {
    const sandbox = startSandbox();
    const to = `${name}@a.test`;
    const { emailId } = await sandbox.ok('email.send', { body: email({ to }) });
    sandbox.advance(10 * second);
    const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
    expect(emailEvents.find(({ status }) => status === 'BOUNCED')?.data).toMatchObject({
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [
        {
          emailAddress: to,
          status: code,
          diagnosticCode: expect.stringMatching(`^smtp; [45]\\d\\d ${code} `),
        },
      ],
    });
    const again = await sandbox.ok('email.send', { body: email({ to }) });
    sandbox.advance(10 * second);
    expect(await latestStatus(sandbox, again.emailId)).toBe(next);
  });
});

describe('events', () => {
  test('repeat per recipient, copies included, and do not come sorted by time', async () => {
    const sandbox = startSandbox();
    const body = email({
      to: ['clicked@a.test', 'Bo <b@a.test>'],
      cc: 'c@a.test',
      bcc: 'b@A.TEST',
    });
    const { emailId } = await sandbox.ok('email.send', { body });
    sandbox.advance(10 * second);
    const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
    expect(emailEvents.filter(({ status }) => status === 'SENT')).toHaveLength(3);
    const times = emailEvents.map(({ createdAt }) => createdAt);
    expect(times).not.toEqual(times.toSorted());
  });

  test('carry the data that the provider reports', async () => {
    const sandbox = startSandbox();
    const dataOf = async (to: string, status: string) => {
      const { emailId } = await sandbox.ok('email.send', { body: email({ to }) });
      sandbox.advance(10 * second);
      const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
      return emailEvents.find((event) => event.status === status)?.data;
    };
    expect(await dataOf('a@a.test', 'SENT')).toEqual({});
    expect(await dataOf('a@a.test', 'DELIVERED')).toMatchObject({
      timestamp: expect.any(String),
      recipients: ['a@a.test'],
      smtpResponse: expect.any(String),
    });
    expect(await dataOf('clicked@a.test', 'OPENED')).toHaveProperty('userAgent');
    expect(await dataOf('clicked@a.test', 'CLICKED')).toHaveProperty('link');
    expect(await dataOf('bounced@a.test', 'BOUNCED')).toMatchObject({
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'bounced@a.test' }],
    });
    expect(await dataOf('complained@a.test', 'COMPLAINED')).toMatchObject({
      complainedRecipients: [{ emailAddress: 'complained@a.test' }],
    });
    expect(await dataOf('delayed@a.test', 'DELIVERY_DELAYED')).toHaveProperty('delayType');
    expect(await dataOf('rejected@a.test', 'REJECTED')).toHaveProperty('reason');
    expect(await dataOf('failed@a.test', 'FAILED')).toHaveProperty('error');
    expect(await dataOf('suppressed@a.test', 'SUPPRESSED')).toHaveProperty('error');
  });

  test('the latest status is the highest, not the last', async () => {
    const sandbox = startSandbox();
    const to = ['bounced@a.test', 'delayed@a.test'];
    const { emailId } = await sandbox.ok('email.send', { body: email({ to }) });
    sandbox.advance(10 * second);
    expect((await history(sandbox, emailId)).at(-1)).toBe('DELIVERED 4');
    expect(await latestStatus(sandbox, emailId)).toBe('BOUNCED');
  });
});

describe('suppression', () => {
  test.each(['bounced', 'complained'])('follows when a message %s', async (name) => {
    const sandbox = startSandbox();
    const to = `${name}@a.test`;
    await sandbox.ok('email.send', { body: email({ to }) });
    sandbox.advance(10 * second);
    const again = email({ to: `Someone <${to.toUpperCase()}>` });
    const { emailId } = await sandbox.ok('email.send', { body: again });
    expect(await latestStatus(sandbox, emailId)).toBe('SUPPRESSED');
    sandbox.advance(10 * second);
    expect(await history(sandbox, emailId)).toEqual(['SUPPRESSED 10']);
  });

  test('keeps nothing from the other recipients', async () => {
    const sandbox = startSandbox();
    const to = ['suppressed@a.test', 'a@a.test'];
    const { emailId } = await sandbox.ok('email.send', { body: email({ to }) });
    sandbox.advance(10 * second);
    expect(await history(sandbox, emailId)).toEqual(['SENT 0.3', 'DELIVERED 1']);
  });
});
