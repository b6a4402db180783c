import { expect, test } from 'vitest';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { serveInbox } from '../support/inbox.ts';

describeInBrowser('the inbox', () => {
  test('opens with the messages', async () => {
    const { origin } = await serveInbox();
    const page = await openPage();
    await page.goto(origin);
    expect(await page.title()).toContain('mailer sandbox');
  });
});
