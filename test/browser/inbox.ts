import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { campaign, email } from '../sandbox/harness.ts';
import { describeInBrowser, follow, openPage } from '../support/browser.ts';
import { serveInbox } from '../support/inbox.ts';

type Service = Awaited<ReturnType<typeof serveInbox>>;

async function send(service: Service, fields: Record<string, unknown> = {}): Promise<string> {
  const reply = await service.request('POST', '/emails', { body: email(fields) });
  expect(reply.status, reply.text).toBe(200);
  // A response with status 200 has this shape.
  return (reply.body as { emailId: string }).emailId;
}

async function sendMany(service: Service, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, n) =>
    email({ subject: `No ${n}`, to: `n${n}@example.com` }),
  );
  expect((await service.request('POST', '/emails/batch', { body })).status).toBe(200);
}

/** Makes the page fetch changes, which it does every 1.5 seconds. */
const renew = (page: Page) => page.clock.runFor(1500);

const subjects = (page: Page) => page.locator('.row-subject').allTextContents();
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

/** Paths of a message with everything a page can show, in long words, and of other pages. */
async function allPages(service: Service): Promise<string[]> {
  const long = 'x'.repeat(300);
  const id = await send(service, {
    from: `"${'Very long name '.repeat(8)}" <shop@example.com>`,
    to: Array.from({ length: 12 }, (_, n) => `someone-with-a-long-name-${n}@example.com`),
    cc: 'bounced@example.com',
    subject: `A subject ${long}`,
    html: `<p>Hi</p><table width="900"><tr><td>wide</td></tr></table>`,
    text: `${long}\n\nhttps://example.com/${long}`,
    headers: { 'X-Long': long },
    attachments: [{ filename: `${long}.txt`, content: 'aGk=' }],
  });
  service.advance(60_000);
  const views = ['html', 'code', 'text', 'source', 'headers', 'attachments', 'events'];
  return [
    '/',
    '/?q=nothing',
    `/?q=${'y'.repeat(150)}`,
    '/no-such-page',
    ...views.map((view) => `/messages/${id}?view=${view}`),
  ];
}

describeInBrowser('the inbox', () => {
  test('of a test account shows its mail as it arrives, and leads to the other accounts', async () => {
    const service = await serveInbox();
    const key = 'us_sandbox_test_one';
    const sendAsOne = async (subject: string) => {
      const body = email({ subject, html: '<p id="hi">Hi</p>' });
      expect((await service.request('POST', '/emails', { body, key })).status).toBe(200);
    };
    await sendAsOne('First');
    const page = await openPage({ hasClock: true });
    await page.goto(`${service.origin}/accounts/one/`);
    await sendAsOne('Second');
    await send(service, { subject: 'Of another account' });
    await renew(page);
    await page.getByText('Second').waitFor();
    expect(await subjects(page)).toEqual(['Second', 'First', 'Your receipt', 'Welcome, Ben!']);
    await page.getByText('Second').click();
    await page.frameLocator('.paper').locator('#hi').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/accounts\/one\/messages\/c\w+$/);
    await page.getByRole('button', { name: 'Account one' }).click();
    await page.getByRole('link', { name: 'us_sandbox_local' }).click();
    await page.waitForURL(`${service.origin}/`);
    expect(await subjects(page)).toContain('Of another account');
    expect(await subjects(page)).not.toContain('First');
  });

  test('leads from the list to a message, its views, and back', async () => {
    const service = await serveInbox();
    await send(service, { subject: 'Order 4711', html: '<p id="hi">Hi</p>' });
    const page = await openPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(service.origin);
    expect(await page.title()).toBe('(1) Messages · mailer sandbox');
    await follow(page.getByText('Order 4711'));
    expect(await page.title()).toBe('Order 4711 · mailer sandbox');
    await page.frameLocator('iframe').locator('#hi').waitFor();
    await follow(page.getByRole('link', { name: 'Text', exact: true }));
    expect(await page.locator('pre').textContent()).toBe('Hi');
    await follow(page.getByRole('link', { name: 'Events' }));
    expect(await page.locator('#timeline').textContent()).toContain('Accepted');
    expect(await page.locator('.row[aria-current]').textContent()).toContain('Order 4711');
    await page.goBack();
    expect(await page.locator('pre').textContent()).toBe('Hi');
    // The policy of the pages blocks nothing they need.
    expect(errors).toEqual([]);
  });

  test('works without script: pages, search, and deletion after a question', async () => {
    const service = await serveInbox();
    await sendMany(service, 60);
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(service.origin);
    await follow(page.getByRole('link', { name: 'Older' }));
    expect(await subjects(page)).toContain('No 0');
    await follow(page.getByRole('link', { name: 'Newer' }));
    await page.getByRole('searchbox').fill('n7@example');
    await follow(page.getByRole('button', { name: 'Search' }));
    expect(await subjects(page)).toEqual(['No 7']);
    await follow(page.getByText('No 7'));
    expect(await page.locator('h1').textContent()).toBe('No 7');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this message?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 message deleted').waitFor();
    expect(await subjects(page)).not.toContain('No 7');
    await page.goto(service.origin);
    expect(await page.locator('#count').textContent()).toBe('61 messages');
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByText('No messages yet').waitFor();
  });

  test('has links in the HTML that unsubscribe in the sandbox', async () => {
    const service = await serveInbox();
    await service.ok('campaign.create', { body: { ...campaign(), sendNow: true } });
    service.advance(1000);
    const page = await openPage();
    await page.goto(`${service.origin}/?q=News`);
    await follow(page.locator('.row').first());
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.frameLocator('iframe').getByText('Unsubscribe').click(),
    ]);
    await tab.waitForLoadState();
    expect(tab.url()).toBe(`${service.origin}/unsubscribe/${id}`);
    await tab.close();
    expect(await page.locator('.unsubscribe').getAttribute('href')).toBe(`/unsubscribe/${id}`);
  });

  test('does not shift while it loads', async () => {
    const service = await serveInbox();
    await sendMany(service, 60);
    const id = await send(service, { html: '<p>Hi</p>' });
    const page = await openPage();
    for (const path of ['/', `/messages/${id}`]) {
      await page.goto(`${service.origin}${path}`);
      await page.waitForLoadState('networkidle');
      const shift = `new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      })`;
      expect(await page.evaluate(shift)).toBeLessThan(0.01);
    }
  });
});

describeInBrowser('new mail', () => {
  test('appears without a reload, and nothing else changes, on the first page and an older one', async () => {
    const service = await serveInbox();
    await sendMany(service, 60);
    const page = await openPage({ hasClock: true });
    await page.goto(service.origin);
    await page.evaluate('window.stays = true');
    await page.locator('.row', { hasText: 'No 20' }).focus();
    const top = () => page.evaluate('document.querySelector(".list").scrollTop');
    const place = () => page.evaluate('document.activeElement.getBoundingClientRect().top');
    const before = Number(await place());
    expect(await top()).toBeGreaterThan(0);
    await send(service, { subject: 'Just in' });
    await renew(page);
    await page.getByText('Just in').waitFor({ state: 'attached' });
    expect((await subjects(page))[0]).toBe('Just in');
    expect(await page.getByRole('status').textContent()).toBe('1 new message');
    expect(await page.locator('#count').textContent()).toBe('63 messages');
    expect(await focused(page)).toContain('No 20');
    // Rows differ by fractions of a pixel.
    expect(Math.abs(Number(await place()) - before)).toBeLessThan(1);

    // The link to older messages moves, and keeps the focus.
    const older = page.getByRole('link', { name: 'Older' });
    const href = (await older.getAttribute('href')) ?? '';
    await older.focus();
    await send(service, { subject: 'Second' });
    await renew(page);
    await page.locator(`#pager:not(:has([href="${href}"]))`).waitFor();
    expect(await focused(page)).toBe('Older');

    // After the sandbox was unavailable.
    await page.route('**/live', (route) => route.abort());
    await Promise.all([page.waitForEvent('requestfailed'), renew(page)]);
    await page.unroute('**/live');
    await send(service, { subject: 'Third' });
    await renew(page);
    await page.getByText('Third').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.stays')).toBe(true);

    await follow(older);
    const shown = await subjects(page);
    await send(service, { subject: 'Fourth' });
    await renew(page);
    await page.locator('#count', { hasText: '66' }).waitFor();
    expect(await subjects(page)).toEqual(shown);
    expect(await page.getByRole('status').textContent()).toBe('');
  });

  test('updates the status in the list and in the open message', async () => {
    const service = await serveInbox();
    const id = await send(service, { to: 'bounced@example.com' });
    const page = await openPage({ hasClock: true });
    await page.goto(`${service.origin}/messages/${id}?view=events`);
    const events = page.getByRole('link', { name: 'Events' });
    await events.focus();
    expect(await page.locator('#state').textContent()).toBe('Queued');
    service.advance(5000);
    await renew(page);
    await page.locator('#state', { hasText: 'Bounced' }).waitFor();
    expect(await page.locator('#timeline').textContent()).toContain('no such mailbox');
    expect(await page.locator(`#row-${id} .badge`).textContent()).toBe('Bounced');
    expect(await focused(page)).toBe('Events');
    await send(service, { subject: 'Just in' });
    await renew(page);
    await page.getByText('Just in').waitFor();
    expect(await page.locator('h1').textContent()).toBe('Hello');
    expect(await page.getByRole('status').textContent()).toBe('1 new message');
  });

  test('appears in a search only if it matches, and loses its mark when it is read elsewhere', async () => {
    const service = await serveInbox();
    const page = await openPage({ hasClock: true });
    await page.goto(`${service.origin}/?q=needle`);
    expect(await subjects(page)).toEqual([]);
    await send(service, { subject: 'Hay' });
    const id = await send(service, { subject: 'Needle' });
    await renew(page);
    await page.getByText('Needle').waitFor();
    expect(await subjects(page)).toEqual(['Needle']);

    await page.goto(service.origin);
    expect(await page.title()).toBe('(2) Messages · mailer sandbox');
    await expect.poll(() => page.locator('.dot').count()).toBe(2);
    await fetch(`${service.origin}/messages/${id}`);
    await renew(page);
    await expect.poll(() => page.locator('.dot').count()).toBe(1);
    expect(await page.title()).toBe('(1) Messages · mailer sandbox');
    await send(service);
    await renew(page);
    await page.locator('#unread', { hasText: '2' }).waitFor();
    expect(await page.title()).toBe('(2) Messages · mailer sandbox');
  });
});

describeInBrowser('the keyboard', () => {
  test('reaches everything, and the focus is visible', async () => {
    const service = await serveInbox();
    const page = await openPage();
    await page.goto(service.origin);
    const order: string[] = [];
    for (let press = 0; press < 14; press++) {
      await page.keyboard.press('Tab');
      order.push(
        String(
          await page.evaluate(
            'document.activeElement.getAttribute("href") ?? document.activeElement.localName',
          ),
        ),
      );
      const outline = `(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2)
        (getComputedStyle(document.activeElement))`;
      expect([order.at(-1), await page.evaluate(outline)]).toEqual([order.at(-1), true]);
    }
    expect(order).toEqual([
      '#main',
      '/',
      '/',
      '/campaigns',
      '/contacts',
      '/domains',
      '/reputation',
      '/requests',
      '/calls',
      'button',
      'button',
      'input',
      'button',
      expect.stringMatching(/^\/messages\//),
    ]);
  });

  test('goes through the list with j and k and the arrows, skips it, and searches with a slash', async () => {
    const service = await serveInbox();
    await sendMany(service, 3);
    const page = await openPage();
    await page.goto(service.origin);
    const heard: string[] = [];
    for (const key of ['j', 'j', 'ArrowDown', 'ArrowUp', 'k', 'k']) {
      await page.keyboard.press(key);
      heard.push(
        String(await focused(page))
          .split(' ')
          .slice(0, 2)
          .join(' ')
          .trim(),
      );
    }
    expect(heard.map((text) => text.slice(0, 4))).toEqual([
      'No 2',
      'No 1',
      'No 0',
      'No 1',
      'No 2',
      'No 2',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/messages/*');
    // The focus is still in the list.
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'No 1' }).waitFor();
    // Keys work once the page's script has run.
    await page.waitForLoadState();
    // The first link skips the list.
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Delete');
    await page.keyboard.press('/');
    await page.keyboard.type('n0@example j/k');
    expect(await page.getByRole('searchbox').inputValue()).toBe('n0@example j/k');
    await page.getByRole('searchbox').fill('n0@example');
    await page.keyboard.press('Enter');
    await page.locator('#count', { hasText: '1 of 5 messages found' }).waitFor();
    expect(await subjects(page)).toEqual(['No 0']);
  });
});

describeInBrowser('Escape and the question mark', () => {
  test('leave the keys, a search, and the field without one', async () => {
    const service = await serveInbox();
    const id = await send(service, { subject: 'Needle' });
    const page = await openPage();
    const found = `${service.origin}/messages/${id}?q=needle&view=raw`;
    await page.goto(found);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('leave the search').waitFor();
    expect(await focused(page)).toBe('Close');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(page.url()).toBe(found);
    await page.getByRole('button', { name: 'Keys' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.waitForURL(`${service.origin}/messages/${id}?view=raw`);
    await page.waitForLoadState();
    expect(await subjects(page)).toHaveLength(3);
    await page.keyboard.press('/');
    await page.keyboard.type('half a word');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    expect(await page.evaluate('document.activeElement.localName')).toBe('body');
  });
});

/** The lowest contrast of a text with its background, and which text. */
const lowestContrast = `(() => {
  for (const one of document.getAnimations()) one.finish();
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = numbers(color).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if ((numbers(color)[3] ?? 1) === 1) return color;
    }
  };
  const texts = [...document.querySelectorAll('body *')].filter((one) =>
    one.checkVisibility() && !one.closest('svg') &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
  const all = texts.map((one) => {
    const [a, b] = [getComputedStyle(one).color, behind(one)].map(luminance);
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML.slice(0, 100)];
  });
  return all.sort(([a], [b]) => a - b)[0];
})()`;

/** Pixels of horizontal overflow. */
const overflow = `Math.max(0, ...[...document.querySelectorAll('html, .list, .reader')]
  .map((one) => one.scrollWidth - one.clientWidth))`;

/** The colors of the page and of its text. */
const colors = `[document.documentElement, document.body].map((one) => getComputedStyle(one))
  .map((one) => [one.backgroundColor, one.color])`;

describeInBrowser('the look', () => {
  test('has a contrast of at least 4.5 in light and dark, and fits phones, a window at 200 %, and a wide window', async () => {
    const service = await serveInbox();
    for (const name of ['bounced', 'delayed', 'opened', 'suppressed', 'complained']) {
      await send(service, { to: `${name}@example.com` });
    }
    await send(service, { scheduledAt: '2030-01-01T00:00:00Z' });
    const page = await openPage();
    for (const path of await allPages(service)) {
      await page.goto(`${service.origin}${path}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const [contrast, where] = (await page.evaluate(lowestContrast)) as [number, string];
        expect([path, colorScheme, where, contrast >= 4.5 ? 'enough' : contrast]).toEqual([
          path,
          colorScheme,
          where,
          'enough',
        ]);
      }
      for (const [width, height] of [
        [375, 667],
        [320, 568],
        [640, 400],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect([path, width, await page.evaluate(overflow)]).toEqual([path, width, 0]);
      }
    }
    expect(await page.evaluate(colors)).toMatchObject([
      ['rgb(20, 22, 26)', 'rgb(231, 233, 237)'],
      {},
    ]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(colors)).toMatchObject([
      ['rgb(246, 246, 243)', 'rgb(28, 32, 39)'],
      {},
    ]);
  });

  test('gives the value of a header more room than its name on a phone, and shows a few lines of a long subject', async () => {
    const service = await serveInbox();
    const subject = `${'word '.repeat(500)}${'x'.repeat(17_500)}`;
    const id = await send(service, { bcc: 'bcc@example.com', subject });
    const page = await openPage({ viewport: { width: 375, height: 667 } });
    const on = async (width: number, look: () => Promise<void>) => {
      await page.setViewportSize({ width, height: 720 });
      await look();
      expect(await page.evaluate(overflow)).toBe(0);
    };
    await page.goto(`${service.origin}/messages/${id}?view=headers`);
    const name = page.locator('.view dt', { hasText: 'Bcc (not in the message)' });
    const value = page.locator('.view dd', { hasText: 'bcc@example.com' });
    const [nameBox, valueBox] = [await name.boundingBox(), await value.boundingBox()];
    expect(valueBox?.width).toBeGreaterThan(1.5 * (nameBox?.width ?? Number.NaN));
    expect(await page.locator('#message').textContent()).toContain(subject);
    const heading = async () => {
      expect((await page.locator('#subject').boundingBox())?.height).toBeLessThan(150);
    };
    await on(375, heading);
    await on(1280, heading);
    await page.goto(service.origin);
    const row = async () => {
      expect((await page.locator('.row').first().boundingBox())?.height).toBeLessThan(110);
    };
    await on(1280, row);
    await on(375, row);
  });

  test('has the message beside the list, and on a phone in its place', async () => {
    const service = await serveInbox();
    await send(service);
    const page = await openPage({ viewport: { width: 375, height: 667 } });
    await page.goto(service.origin);
    await follow(page.getByText('Hello').first());
    expect(await page.locator('.list').isVisible()).toBe(false);
    await follow(page.getByRole('link', { name: 'Back to the messages' }));
    expect(await page.locator('.list').isVisible()).toBe(true);
    await page.goBack();
    expect(await page.locator('.list').isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    const list = await page.locator('.list').boundingBox();
    const message = await page.locator('.reader').boundingBox();
    expect(message?.x).toBeGreaterThanOrEqual((list?.x ?? 0) + (list?.width ?? 0));
    expect(message?.y).toBe(list?.y);
  });

  test('shrinks a wide message to fit a phone, unless it is to be as wide as one', async () => {
    const service = await serveInbox();
    const id = await send(service, {
      html: '<table width="900"><tr><td>a</td><td align="right" id="last">b</td></tr></table>',
    });
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${service.origin}/messages/${id}`);
    await page.getByText('shown at 43 %').waitFor();
    const last = await page.frameLocator('iframe').locator('#last').boundingBox();
    // Playwright does not shrink what is in the frame.
    expect((last?.x ?? 999) + (last?.width ?? 999)).toBeLessThanOrEqual(916);
    expect((await page.locator('iframe').boundingBox())?.width).toBeCloseTo(390, 0);
    expect(await page.evaluate(overflow)).toBe(0);
    await page.setViewportSize({ width: 1600, height: 800 });
    await page.locator('#scale:empty').waitFor({ state: 'attached' });
    await follow(page.getByRole('link', { name: 'Phone' }));
    await page.locator('iframe[width="375"]').waitFor();
    const frame = await page.locator('iframe').boundingBox();
    expect(frame?.width).toBe(375);
  });

  test('has tabs and links that stay in place, and a bar as wide as the window', async () => {
    const service = await serveInbox();
    const id = await send(service, { html: '<p>Hi</p>' });
    const page = await openPage({ viewport: { width: 1280, height: 800 } });
    const lefts = (selector: string) =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().left)`,
      );
    await page.goto(`${service.origin}/messages/${id}?view=html`);
    const [tabs, links] = [await lefts('.tabs a'), await lefts('.bar nav a')];
    await page.goto(`${service.origin}/messages/${id}?view=headers`);
    expect(await lefts('.tabs a')).toEqual(tabs);
    await page.goto(`${service.origin}/domains`);
    expect(await lefts('.bar nav a')).toEqual(links);
    const bar = await page.locator('.bar').boundingBox();
    expect(bar?.width).toBe(1280);
    const heading = await page.locator('h1').boundingBox();
    expect(heading?.x).toBe((await page.locator('.brand').boundingBox())?.x);
  });

  test('has one row of links on a phone, with the current one in sight', async () => {
    const service = await serveInbox();
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${service.origin}/requests`);
    expect((await page.locator('.bar').boundingBox())?.height).toBeLessThan(60);
    const current = await page.locator('.bar [aria-current]').boundingBox();
    expect((current?.x ?? 999) + (current?.width ?? 999)).toBeLessThanOrEqual(390);
  });
});
