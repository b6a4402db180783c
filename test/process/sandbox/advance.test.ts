import { expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';

const html = '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
const campaign = ['campaign', 'create', '--name', 'Spring', '--from', 'hello@example.com'];
const words = [...campaign, '--subject', 'News', '--book', 'book_customers', '--html', html];

test('the clock of a served sandbox is advanced, and links in its mail lead to it', async () => {
  const place = createPlace();
  const { env, url } = await serveSandbox(place, ['--port', '0', '--clock', '2026-01-01']);
  const planned = [...words, '--scheduled-at', '2026-01-01T08:00:00Z', '--allow-past', '--yes'];
  expect(await place.run(planned, { env })).toMatchObject({ exitCode: 0 });

  const { exitCode, stdout } = await place.run('sandbox advance 1d --json');
  expect({ exitCode, reply: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    reply: { from: expect.stringMatching(/^2026-01-01T/), emails: 11, campaigns: 1 },
  });
  const list = await runHere(place, 'email list --fields html,createdAt --jsonl', { env });
  const [first = ''] = list.stdout.split('\n');
  expect(JSON.parse(first)).toMatchObject({
    html: expect.stringContaining(`href="${url}/unsubscribe/`),
    createdAt: '2026-01-01T08:00:00.000Z',
  });
  const status = await runHere(place, 'sandbox status --json');
  expect(JSON.parse(status.stdout)).toMatchObject({ now: expect.stringMatching(/^2026-01-02T/) });
});
