import { expect, test } from 'vitest';
import { createPlace } from '../../support/process.ts';

test('an email is sent, followed until it is delivered, and shown', async () => {
  const place = createPlace();
  const words = [
    ...['email', 'send', '--sandbox', '--to', 'ana@example.org', '--from', 'hello@example.com'],
    ...['--subject', 'Grüße, {{ name }}', '--text', 'Hello {{ name }}', '--var', 'name=Ana'],
  ];
  const sent = await place.run([...words, '--wait', '--quiet']);
  expect(sent).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\w+\n$/), stderr: '' });
  const shown = await place.run(['email', 'get', sent.stdout.trim(), '--sandbox', '--json']);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  const email = JSON.parse(shown.stdout);
  expect(email).toMatchObject({
    to: ['ana@example.org'],
    subject: 'Grüße, Ana',
    text: 'Hello Ana',
  });
  expect(email.emailEvents.map(({ status }: { status: string }) => status)).toContain('DELIVERED');
});
