import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';

const send = [
  'email',
  'send',
  '--to',
  'ana@example.org',
  '--from',
  'hello@example.com',
  '--text',
  'x',
];
const digest = /"digest": ?"([0-9a-f]{64})"/;

test('one digest is one key, in upper and in lower case', async () => {
  const accepted = { body: { emailId: 'em_1' } };
  const { run, service } = await connected(accepted, accepted);
  const words = [...send, '--subject', 'Hi'];
  const [, expected = ''] =
    digest.exec((await run([...words, '--dry-run', '--json'])).stdout) ?? [];
  for (const one of [expected, expected.toUpperCase()]) {
    expect(await run([...words, '--yes', '--expect', one])).toMatchObject({ exitCode: 0 });
  }
  const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expected, expected]);
});
