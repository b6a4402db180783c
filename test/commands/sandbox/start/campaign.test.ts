import { expect, test } from 'vitest';
import { createWorld } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';

test('a campaign of a served sandbox starts with its clock, and links in its mail lead to the server', async () => {
  const world = createWorld();
  const { env, url } = await serveIn(world, '--clock 2026-01-01');
  const html = '<p>Hi {{firstName}}</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
  const campaign = ['campaign', 'create', '--name', 'Spring', '--from', 'hello@example.com'];
  const words = [...campaign, '--subject', 'News', '--book', 'book_customers', '--html', html];
  const planned = ['--scheduled-at', '2026-01-01T08:00:00Z', '--allow-past', '--yes', '--quiet'];
  const created = await world.run([...words, ...planned], { env });
  expect(created).toMatchObject({ exitCode: 0 });

  const { exitCode, stdout } = await world.run('sandbox advance 1d --json');
  expect({ exitCode, reply: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    reply: { from: expect.stringMatching(/^2026-01-01T/), emails: 11, campaigns: 1 },
  });
  const list = await world.run('email list --fields to,html,createdAt --jsonl', { env });
  const ana = list.stdout.split('\n').find((line) => line.includes('Hi Ana')) ?? '';
  const { html: shown, createdAt } = JSON.parse(ana);
  expect(createdAt).toBe('2026-01-01T08:00:00.000Z');
  const [, link = ''] = shown.match(/href="([^"]+)"/) ?? [];
  expect(link).toMatch(new RegExp(`^${url}/unsubscribe/c[a-z0-9]{24}$`));

  const json = async (line: string) => JSON.parse((await world.run(line, { env })).stdout);
  const state = async () => [
    (await json('contact get contact_ana --book book_customers --json')).subscribed,
    (await json(`campaign get ${created.stdout.trim()} --json`)).unsubscribed,
  ];
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('You are unsubscribed');
  expect(await state()).toEqual([false, 1]);
  const body = new URLSearchParams({ action: 'resubscribe' });
  expect(await (await fetch(link, { method: 'POST', body })).text()).toContain('subscribed again');
  expect(await state()).toEqual([true, 0]);
  expect(await json('sandbox status --json')).toMatchObject({
    now: expect.stringMatching(/^2026-01-02T/),
  });
});
