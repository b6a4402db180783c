import { expect, test } from 'vitest';
import { describeInBrowser, follow, openPage } from '../../support/browser.ts';
import { createPlace } from '../../support/process.ts';
import { clientOf } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';

describeInBrowser('the inbox', () => {
  test('of a served sandbox shows a message, which a click opens', async () => {
    const served = await serveSandbox(createPlace());
    const email = {
      from: 'shop@example.com',
      to: 'ana@example.org',
      subject: 'Sale',
      html: '<h1>Hats',
    };
    const sent = { method: 'POST', body: JSON.stringify(email) };
    expect(await clientOf(served).request('/emails', sent)).toMatchObject({ status: 200 });
    const page = await openPage();
    await page.goto(served.url);
    await follow(page.getByText('Sale'));
    const message = page.frameLocator('iframe.paper');
    expect(await message.getByRole('heading').textContent()).toBe('Hats');
  });
});
