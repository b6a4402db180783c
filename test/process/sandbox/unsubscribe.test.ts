import { expect, test } from 'vitest';
import { createPlace, type Place } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';

const html = '<p>Hi {{firstName}}</p><a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
const create = [
  ...['campaign', 'create', '--name', 'Spring', '--from', 'Shop <shop@example.com>'],
  ...['--subject', 'News for {{firstName}}', '--book', 'book_customers', '--html', html],
  ...['--now', '--yes', '--sandbox', '--quiet'],
];

interface Shown {
  readonly subject: string;
  readonly html: string | null;
}

/** The message for Ana and its link, once it has arrived. */
async function messageFor(place: Place, flags: readonly string[], env = {}) {
  for (;;) {
    const { stdout } = await place.run(['email', 'list', '--json', ...flags], { env });
    const { data }: { data: Shown[] } = JSON.parse(stdout);
    const message = data.find(({ subject }) => subject === 'News for Ana');
    if (message !== undefined) {
      return { ...message, link: message.html?.match(/href="([^"]+)"/)?.[1] ?? '' };
    }
  }
}

test('a click on the link in a campaign unsubscribes its contact', async () => {
  const place = createPlace();
  const created = await place.run(create);
  expect(created).toMatchObject({ exitCode: 0 });
  const { url, env } = await serveSandbox(place);
  const { html, link } = await messageFor(place, [], env);
  expect(html).toContain('<p>Hi Ana</p>');
  expect(link).toMatch(new RegExp(`^${url}/unsubscribe/c[a-z0-9]{24}$`));

  const counted = async () => {
    const id = created.stdout.trim();
    const { stdout } = await place.run(`campaign get ${id} --json`, { env });
    return JSON.parse(stdout).unsubscribed;
  };
  const subscribed = async () => {
    const path = '/v1/contactBooks/book_customers/contacts/contact_ana';
    return JSON.parse((await place.run(`api GET ${path}`, { env })).stdout).subscribed;
  };
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('You are unsubscribed');
  expect([await subscribed(), await counted()]).toEqual([false, 1]);

  const body = new URLSearchParams({ action: 'resubscribe' });
  expect(await (await fetch(link, { method: 'POST', body })).text()).toContain('subscribed again');
  expect([await subscribed(), await counted()]).toEqual([true, 0]);
});

test('mail that a command sends has links to the running server', async () => {
  const place = createPlace();
  const { url, process } = await serveSandbox(place);
  // If killed, it leaves its note behind, and does not send the command's email.
  process.kill('SIGKILL');
  await process;
  await place.run(create);
  const { link } = await messageFor(place, ['--sandbox']);
  expect(link).toMatch(new RegExp(`^${url}/unsubscribe/`));
});
