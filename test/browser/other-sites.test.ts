import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { campaign } from '../sandbox/harness.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { serveInbox } from '../support/inbox.ts';

/** Serves a page of another site, and returns its URL. */
async function serveElsewhere(html: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `http://localhost:${port}/`;
}

describeInBrowser('a page of another site', () => {
  test('can neither use, search nor embed the sandbox, but may link to it', async () => {
    const { origin, ok, send, advance } = await serveInbox();
    const { id } = await ok('campaign.create', { body: campaign() });
    await send('campaign.schedule', { params: { campaignId: id }, body: {} });
    advance(10_000);
    const { data } = await ok('email.list', { query: { limit: 1 } });
    const link = `${origin}/unsubscribe/${data[0]?.id}`;
    const subscribed = async () => {
      const page = await fetch(link, { method: 'HEAD' });
      expect(page.status).toBe(200);
      const text = await (await fetch(`${origin}/campaigns/${id}`)).text();
      return /Unsubscribed[\s\S]*?<td data-label="Messages"[^>]*><div>(\d+)/.exec(text)?.[1];
    };
    const statuses: Record<string, number> = {};
    const page = await openPage();
    page.on('response', (response) => {
      if (response.url().startsWith(origin)) {
        statuses[`${response.request().resourceType()} ${response.url().slice(origin.length)}`] =
          response.status();
      }
    });
    await page.goto(
      await serveElsewhere(`<img src="${link}"><iframe src="${link}?frame"></iframe>
        <script src="${origin}/control"></script><img src="${origin}/?q=secret">
        <object data="${link}?object"></object><link rel="stylesheet" href="${origin}/assets/style.css">
        <a href="${link}">link</a>`),
    );
    await page.waitForLoadState('load');
    await expect.poll(() => Object.keys(statuses).length).toBeGreaterThan(4);
    expect(new Set(Object.values(statuses))).toEqual(new Set([403]));
    expect(await subscribed()).toBe('0');

    await page.getByText('link').click();
    await page.getByText('You are unsubscribed').waitFor();
    expect(await subscribed()).toBe('1');
  });
});
