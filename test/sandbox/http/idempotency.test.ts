import { describe, expect, test } from 'vitest';
import { day, email, envelope, second, startSandbox } from '../harness.ts';

const conflict = envelope(409, 'NOT_UNIQUE');
const keyed = (key: string) => ({ 'Idempotency-Key': key });

async function countEmails({ ok }: ReturnType<typeof startSandbox>) {
  return (await ok('email.list', { query: {} })).count;
}

describe('the same key', () => {
  test('with the same body returns the first id and sends nothing', async () => {
    const sandbox = startSandbox();
    const first = await sandbox.ok('email.send', { body: email() }, keyed('k'));
    const count = await countEmails(sandbox);
    expect(await sandbox.ok('email.send', { body: email() }, keyed('k'))).toEqual(first);
    expect(await countEmails(sandbox)).toBe(count);
  });

  test('treats bodies with keys in another order as the same', async () => {
    const { ok } = startSandbox();
    const headers = { 'X-A': '1', 'X-B': '2' };
    const first = await ok('email.send', { body: email({ headers }) }, keyed('k'));
    const { to, ...rest } = email({ headers: { 'X-B': '2', 'X-A': '1' } });
    expect(await ok('email.send', { body: { ...rest, to } }, keyed('k'))).toEqual(first);
  });

  test.each([
    ['another subject', { subject: 'Other' }],
    ['an array instead of a string', { to: ['delivered@example.com'] }],
  ])('with %s is a conflict', async (_, fields) => {
    const { ok, send } = startSandbox();
    await ok('email.send', { body: email() }, keyed('k'));
    const reply = await send('email.send', { body: email(fields) }, keyed('k'));
    expect(reply).toMatchObject(conflict);
  });

  test('is the same key for send and batch', async () => {
    const { ok, send } = startSandbox();
    await ok('email.send', { body: email() }, keyed('k'));
    expect(await send('email.batch', { body: [email()] }, keyed('k'))).toMatchObject(conflict);
  });

  test('returns all ids of a batch, in order', async () => {
    const sandbox = startSandbox();
    const body = [email({ subject: '1' }), email({ subject: '2' })];
    const first = await sandbox.ok('email.batch', { body }, keyed('k'));
    const count = await countEmails(sandbox);
    expect(await sandbox.ok('email.batch', { body }, keyed('k'))).toEqual(first);
    expect(await countEmails(sandbox)).toBe(count);
  });

  test('is forgotten after 24 hours', async () => {
    const { ok, send, advance } = startSandbox();
    const first = await ok('email.send', { body: email() }, keyed('k'));
    advance(day - 1);
    expect(await ok('email.send', { body: email() }, keyed('k'))).toEqual(first);
    expect(await send('email.send', { body: email({ text: 'x' }) }, keyed('k'))).toMatchObject(
      conflict,
    );
    advance(1);
    expect(await ok('email.send', { body: email() }, keyed('k'))).not.toEqual(first);
  });

  test('may be used again after a failure', async () => {
    const { ok, send } = startSandbox();
    const bad = email({ from: 'a@example.org' });
    const refused = await send('email.send', { body: bad }, keyed('k'));
    expect(refused).toMatchObject(envelope(400, 'BAD_REQUEST'));
    await ok('email.send', { body: email() }, keyed('k'));
  });
});

/** Stops requests once they have claimed their key, until `release`. */
function holdUp() {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const enter = () => {
    entered.resolve();
    return gate.promise;
  };
  return { enter, entered: entered.promise, release: gate.resolve };
}

describe('while the first request is being processed', () => {
  test('the same key is a conflict, whatever the body, and a success afterwards', async () => {
    const held = holdUp();
    const sandbox = startSandbox({ processing: held.enter });
    const first = sandbox.ok('email.send', { body: email() }, keyed('k'));
    await held.entered;

    expect(await sandbox.send('email.send', { body: email() }, keyed('k'))).toMatchObject(conflict);
    const other = { body: email({ text: 'x' }) };
    expect(await sandbox.send('email.send', other, keyed('k'))).toMatchObject(conflict);
    held.release();
    expect(await first).toEqual(await sandbox.ok('email.send', { body: email() }, keyed('k')));
  });

  test('a claim that is not ended within a minute is void, and then cannot send', async () => {
    const held = [holdUp(), holdUp()];
    const waiting = [...held];
    const processing = () => waiting.shift()?.enter() ?? Promise.resolve();
    const sandbox = startSandbox({ processing });
    const before = await countEmails(sandbox);
    const slow = sandbox.send('email.send', { body: email() }, keyed('k'));
    await held[0]?.entered;
    sandbox.advance(60 * second);
    const next = sandbox.send('email.send', { body: email() }, keyed('k'));
    await held[1]?.entered;

    held[0]?.release();
    expect(await slow).toMatchObject(conflict);
    held[1]?.release();
    expect(await next).toMatchObject({ status: 200 });
    expect(await countEmails(sandbox)).toBe((before ?? 0) + 1);
  });
});

describe('the length of a key', () => {
  test.each([
    [0, 400],
    [1, 200],
    [256, 200],
    [257, 400],
  ])('of %d characters gives %d', async (length, status) => {
    const { send } = startSandbox();
    const reply = await send('email.send', { body: email() }, keyed('k'.repeat(length)));
    expect(reply.status).toBe(status);
  });
});
