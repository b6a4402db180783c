import { describe, expect, test } from 'vitest';
import { blockedApiKey } from '../../../src/sandbox/model/api-account.ts';
import { day, email, hour, second } from '../harness.ts';
import { dataOf, invalidAt, refusal, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

const later = '2026-03-01T00:00:00Z';

describe('send', () => {
  test('accepts every field of an email, and get returns it', async () => {
    const { client, advance } = await withClient();
    const { emailId = '' } = dataOf(
      await client.emails.send({
        to: ['delivered@example.com', 'Ana <opened@example.com>'],
        from: 'Shop <shop@example.com>',
        subject: 'Größe ✓',
        cc: 'cc@example.com',
        bcc: ['bcc@example.com'],
        replyTo: 'help@example.com',
        text: 'Hi',
        html: '<p>Hi</p>',
        headers: { 'X-Order': '7' },
        attachments: [{ filename: 'a.txt', content: 'aGk=' }],
        inReplyToId: 'email_welcome',
      }),
    );
    advance(hour);
    const shown = dataOf(await client.emails.get(emailId));
    expect(shown).toEqual({
      id: emailId,
      teamId: 1,
      to: ['delivered@example.com', 'Ana <opened@example.com>'],
      from: 'Shop <shop@example.com>',
      subject: 'Größe ✓',
      text: 'Hi',
      html: '<p>Hi</p>',
      // Live servers keep these two for themselves.
      headers: { 'X-Order': '7' },
      attachments: [{ filename: 'a.txt', size: 2 }],
      createdAt: '2026-01-31T12:00:00.000Z',
      updatedAt: expect.stringMatching(/^2026-01-31T12:00:0\d\.\d{3}Z$/),
      emailEvents: expect.any(Array),
    });
    // SENT and DELIVERED for each of the four, OPENED for one.
    expect(shown.emailEvents).toHaveLength(9);
    for (const event of shown.emailEvents) expect(event).toMatchObject({ emailId, data: {} });
  });

  test('accepts null for omitted fields', async () => {
    const { client } = await withClient();
    const nothing = { html: null, inReplyToId: null };
    dataOf(await client.emails.send({ ...email(), ...nothing }));
    dataOf(await client.emails.batch([{ ...email(), ...nothing }]));
    const empty = { ...email(), text: null, html: null };
    expect(await client.emails.send(empty)).toMatchObject(invalidAt());
    const nobody: { to: string } = JSON.parse('{"to":null}');
    expect(await client.emails.send({ ...email(), ...nobody })).toMatchObject(invalidAt('to'));
  });

  test('fills a template', async () => {
    const { client } = await withClient();
    const template = { templateId: 'tmpl_welcome', variables: { name: 'Ana' }, text: 'Hi' };
    const { to, from } = email();
    const { emailId = '' } = dataOf(await client.emails.send({ to, from, ...template }));
    expect(dataOf(await client.emails.get(emailId))).toMatchObject({ subject: 'Welcome, Ana!' });
    const missing = await client.emails.send({ to, from, ...template, templateId: 'none' });
    expect(missing).toMatchObject(refusal('INTERNAL_SERVER_ERROR'));
  });

  test('reports invalid fields as a ZodError, and an invalid sender as an error with a code', async () => {
    const { client } = await withClient();
    expect(await client.emails.send({ ...email(), to: 'nobody' })).toMatchObject(invalidAt('to'));
    expect(await client.emails.create({ ...email(), subject: '' })).toMatchObject(
      invalidAt('subject'),
    );
    const scheduled = { ...email(), scheduledAt: 'tomorrow' };
    expect(await client.emails.send(scheduled)).toMatchObject(invalidAt('scheduledAt'));
    const stranger = { ...email(), from: 'a@elsewhere.test' };
    expect(await client.emails.send(stranger)).toMatchObject(refusal('BAD_REQUEST'));
    const reply = { ...email(), inReplyToId: 'none' };
    expect(await client.emails.send(reply)).toMatchObject(refusal('BAD_REQUEST'));
  });

  test('is rejected for a blocked account', async () => {
    const { clientWith } = await withClient();
    const { emails } = clientWith(blockedApiKey);
    expect(await emails.send(email())).toMatchObject(refusal('FORBIDDEN'));
    expect(await emails.batch([email()])).toMatchObject(refusal('FORBIDDEN'));
  });
});

describe('attachments', () => {
  const attachment = { filename: '../../x.pdf', content: Buffer.alloc(1000, 7).toString('base64') };

  test('are ten at most, of some megabytes', async () => {
    const { client } = await withClient();
    const large = { ...attachment, content: Buffer.alloc(500_000, 7).toString('base64') };
    const ten = Array.from({ length: 10 }, () => large);
    dataOf(await client.emails.send({ ...email(), attachments: ten }));
    const eleven = Array.from({ length: 11 }, () => attachment);
    const refused = invalidAt('attachments');
    expect(await client.emails.send({ ...email(), attachments: eleven })).toMatchObject(refused);
  });

  test('over the limit of a request are rejected, and the client still works', async () => {
    const { client } = await withClient();
    const content = Buffer.alloc(26_000_000, 7).toString('base64');
    const attachments = [{ ...attachment, content }];
    expect(await client.emails.send({ ...email(), attachments })).toEqual({
      data: null,
      error: { code: 'INTERNAL_SERVER_ERROR', message: 'Payload Too Large' },
    });
    dataOf(await client.emails.send(email()));
  });

  test.each(['aGk', 'not base64', 'aGk=\n', 'a-_b', '', '=aGk'])(
    'are base64, which %j is not',
    async (content) => {
      const { client } = await withClient();
      const attachments = [{ ...attachment, content }];
      const refused = invalidAt('attachments', 0, 'content');
      expect(await client.emails.send({ ...email(), attachments })).toMatchObject(refused);
      const inBatch = invalidAt(1, 'attachments', 0, 'content');
      const batch = [email(), { ...email(), attachments }];
      expect(await client.emails.batch(batch)).toMatchObject(inBatch);
    },
  );
});

describe('an idempotency key', () => {
  const options = { idempotencyKey: 'k' };

  test('gives the first ids again, for a day', async () => {
    const { client, advance } = await withClient();
    const first = dataOf(await client.emails.send(email(), options));
    const { from, to, text, subject } = email();
    const reordered = { text, subject, to, from };
    expect(dataOf(await client.emails.create(reordered, options))).toEqual(first);
    const batch = [email(), email({ subject: 'B' })];
    const both = dataOf(await client.emails.batch(batch, { idempotencyKey: 'b' }));
    expect(dataOf(await client.emails.batch(batch, { idempotencyKey: 'b' }))).toEqual(both);
    advance(day);
    expect(dataOf(await client.emails.send(email(), options))).not.toEqual(first);
  });

  test('for another body is rejected, by send and batch alike', async () => {
    const { client } = await withClient();
    dataOf(await client.emails.send(email(), options));
    const conflict = refusal('NOT_UNIQUE');
    const other = { ...email(), to: ['delivered@example.com'] };
    expect(await client.emails.send(other, options)).toMatchObject(conflict);
    expect(await client.emails.batch([email()], options)).toMatchObject(conflict);
  });

  test('is rejected while the first request is in progress', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const processing = () => {
      begun.resolve();
      return gate.promise;
    };
    const { client } = await withClient({ processing });
    const first = client.emails.send(email(), options);
    await begun.promise;
    const second = await client.emails.send(email(), options);
    expect(second).toMatchObject(refusal('NOT_UNIQUE'));
    gate.resolve();
    const sent = dataOf(await first);
    expect(dataOf(await client.emails.send(email(), options))).toEqual(sent);
  });

  test('of a request that failed may be used again', async () => {
    const { client } = await withClient();
    const stranger = { ...email(), from: 'a@elsewhere.test' };
    expect(await client.emails.send(stranger, options)).toMatchObject(refusal('BAD_REQUEST'));
    dataOf(await client.emails.send(email(), options));
  });

  test('has at most 256 characters', async () => {
    const { client } = await withClient();
    dataOf(await client.emails.send(email(), { idempotencyKey: 'k'.repeat(256) }));
    const long = await client.emails.send(email(), { idempotencyKey: 'k'.repeat(257) });
    expect(long).toMatchObject(refusal('BAD_REQUEST'));
  });
});

test('batch returns the ids in order, or rejects all with the index of the invalid one', async () => {
  const { client } = await withClient();
  const emails = ['one', 'two', 'three'].map((subject) => ({ ...email(), subject }));
  const ids = dataOf(await client.emails.batch(emails));
  const subjects = [];
  for (const { emailId } of ids) subjects.push(dataOf(await client.emails.get(emailId)).subject);
  expect(subjects).toEqual(['one', 'two', 'three']);

  const bad = [email(), { ...email(), to: 'nobody' }];
  expect(await client.emails.batch(bad)).toMatchObject(invalidAt(1, 'to'));
  expect(await client.emails.batch([])).toMatchObject(refusal('BAD_REQUEST'));
  const many = Array.from({ length: 101 }, () => email());
  expect(await client.emails.batch(many)).toMatchObject(invalidAt());
});

test('update and cancel work while an email is scheduled', async () => {
  const { client, advance } = await withClient();
  const { emailId = '' } = dataOf(await client.emails.send({ ...email(), scheduledAt: later }));
  const moved = await client.emails.update(emailId, { scheduledAt: '2026-04-01T00:00:00Z' });
  expect(dataOf(moved)).toEqual({ emailId });
  const offset = { scheduledAt: '2026-04-01T00:00:00+01:00' };
  expect(await client.emails.update(emailId, offset)).toMatchObject(invalidAt('scheduledAt'));
  expect(dataOf(await client.emails.cancel(emailId))).toEqual({ emailId });
  expect(await client.emails.cancel(emailId)).toMatchObject(refusal('BAD_REQUEST'));
  const again = await client.emails.update(emailId, { scheduledAt: later });
  expect(again).toMatchObject(refusal('BAD_REQUEST'));

  const past = { scheduledAt: '2020-01-01T00:00:00Z' };
  const other = dataOf(await client.emails.send({ ...email(), scheduledAt: later })).emailId ?? '';
  dataOf(await client.emails.update(other, past));
  advance(2 * second);
  expect(dataOf(await client.emails.get(other)).emailEvents).toHaveLength(2);
});

test('an id has at least three characters', async () => {
  const { client } = await withClient();
  expect(await client.emails.get('ab')).toMatchObject(invalidAt('emailId'));
});

testThatAllWereRun('emails');
