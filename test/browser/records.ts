import { expect, test } from 'vitest';
import { campaign, day, email, second } from '../sandbox/harness.ts';
import { hostile } from '../sandbox/inbox/pages.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { serveInbox } from '../support/inbox.ts';

type Service = Awaited<ReturnType<typeof serveInbox>>;

async function make({ request }: Service, path: string, body: object) {
  const reply = await request('POST', path, { body });
  expect(reply, reply.text).toMatchObject({ status: 200 });
  // The test knows the shape of the response.
  return reply.body as { id: string };
}

/** Starts a campaign that sends to 11 contacts in four batches. */
const startCampaign = (own: Service) =>
  make(own, '/campaigns', campaign({ sendNow: true, batchSize: 3 }));

/** Fills every page with something, hostile names included, and returns their paths. */
async function fill(own: Service): Promise<string[]> {
  for (const name of Object.values(hostile)) {
    await make(own, '/contactBooks', { name, emoji: name });
    const properties = { [name.slice(0, 300)]: name };
    const contact = { email: `${'a'.repeat(60)}@example.com`, firstName: name, properties };
    await make(own, '/contactBooks/book_customers/contacts', contact);
    await make(own, '/campaigns', campaign({ name, subject: name }));
    await own.request('POST', '/emails', { body: { to: name, from: name, subject: name } });
  }
  const running = await startCampaign(own);
  await make(own, '/domains', {
    name: `${'very-long-name-'.repeat(3)}x.example.com`,
    region: 'us-east-1',
  });
  const paths = ['/campaigns', `/campaigns/${running.id}`, '/campaigns/nothing', '/contacts'];
  paths.push('/contacts/book_customers', '/domains', '/domains/2', '/domains/4', '/reputation');
  paths.push('/requests', '/requests?refused=1', '/requests/4', '/requests/24');
  own.sandbox.addWebhook(
    { url: 'http://127.0.0.1:1/webhooks', secret: 'whsec_1', events: [], temporary: false },
    { test: true },
  );
  const [call] = own.sandbox.webhookCalls(1);
  paths.push('/calls', `/calls/${call?.id}`);
  return paths;
}

describeInBrowser('the pages of campaigns, contacts, domains, reputation and requests', () => {
  test('have readable text in light and dark, need no horizontal scrolling, and run no script in a name', async () => {
    const service = await serveInbox();
    const paths = await fill(service);
    const { origin } = service;
    service.advance(day);
    const page = await openPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    const grounds = new Set<unknown>();
    for (const path of paths) {
      await page.goto(`${origin}${path}`);
      expect(await page.title(), path).toContain('mailer sandbox');
      expect(await page.locator('h1').count(), path).toBe(1);
      expect(await page.locator('script:not([src]), img, [onmouseover]').count(), path).toBe(0);
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const room = await page.evaluate(
          'document.documentElement.clientWidth - document.documentElement.scrollWidth',
        );
        expect(room, `${path} ${width}`).toBeGreaterThanOrEqual(0);
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(faint), `${path}, ${colorScheme}`).toEqual([]);
        grounds.add(
          await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'),
        );
      }
    }
    expect(grounds.size).toBe(2);
    expect(problems).toEqual([expect.stringContaining('/campaigns/nothing')]);
  });

  test('can be used with the keyboard alone', async () => {
    const service = await serveInbox();
    const running = await startCampaign(service);
    const { origin } = service;
    const page = await openPage();
    const focus = (selector: string) => page.locator(selector).first().focus();
    await page.goto(`${origin}/campaigns`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    const reached: unknown[] = [];
    for (let nth = 0; nth < 14; nth++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement.getAttribute("href")'));
    }
    expect(reached).toContain(`/campaigns/${running.id}`);
    expect(reached).toContain('/requests');

    await page.goto(`${origin}/requests`);
    await focus('a.request');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/requests\/\d+$/);
    await focus('summary');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'application/json' }).first().waitFor();
  });

  test('show the reputation as a visible plot with a name', async () => {
    const { origin } = await serveInbox();
    const page = await openPage({ viewport: { width: 375, height: 800 } });
    await page.goto(`${origin}/reputation`);
    const plot = page.getByRole('img', { name: 'Bounce rate in percent over time' });
    const box = await plot.boundingBox();
    expect(box?.width).toBeGreaterThan(200);
    expect(box?.height).toBeGreaterThan(200);
    const dots = await plot.locator('circle').all();
    expect(dots).toHaveLength(8);
    for (const dot of dots) {
      const at = await dot.boundingBox();
      expect(at?.x).toBeGreaterThanOrEqual((box?.x ?? 0) - 6);
      expect(at?.x).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
    }
    await page.getByRole('table', { name: /Changes of the deliverability state/ }).waitFor();
  });

  test('update while a campaign runs', async () => {
    const service = await serveInbox();
    const running = await startCampaign(service);
    const { origin, advance } = service;
    const page = await openPage({ hasClock: true });
    await page.goto(`${origin}/campaigns/${running.id}`);
    await page.getByText('0 of 11 sent').waitFor();
    await page.locator('summary').click();
    advance(0.9 * second);
    await page.clock.runFor(1500);
    await page.getByText('3 of 11 sent').waitFor();
    advance(day);
    await page.clock.runFor(1500);
    await page.getByText('11 of 11 sent').waitFor();
    await page.getByRole('link', { name: 'Clicked: 2 messages' }).waitFor();
    // Opened details stay open.
    expect(await page.locator('details').getAttribute('open')).toBe('');
  });

  test('show new requests as they arrive, and copy the curl command', async () => {
    const { origin, request, sandbox } = await serveInbox();
    const page = await openPage({ hasClock: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${origin}/requests`);
    await page.getByText('No requests yet').waitFor();
    await request('POST', '/emails', { body: email({ from: 'a@nowhere.test' }) });
    await page.clock.runFor(1500);
    await page.getByText('Domain nowhere.test of the sender is not one').waitFor();
    await page.locator('a.request').click();
    await page.getByRole('button', { name: 'Copy the curl line' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(/^curl -X POST http:\/\/127\.0\.0\.1:\d+\/api\/v1\/emails \\\n/);
    expect(copied).toContain('$MAILER_API_KEY');
    expect(copied).not.toContain(sandbox.apiKey);
  });

  test('work without script', async () => {
    const { origin } = await serveInbox();
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${origin}/contacts/book_customers`);
    await page.getByRole('searchbox').fill('silva');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('delivered+ana@example.com').waitFor();
    await page.goto(`${origin}/domains/2`);
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
    await page.locator('code.selectable').first().click();
  });
});

/** A script for the browser: the texts whose contrast is below 4.5 (WCAG AA). */
const faint = `(() => {
  for (const one of document.getAnimations()) one.finish();
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const parts = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(color);
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const ground = parts(getComputedStyle(at).backgroundColor);
      if (ground[3] === 255) return ground;
    }
    return parts('white');
  };
  return [...document.querySelectorAll('main *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((element) => element.checkVisibility() && !element.closest('title, desc'))
    .flatMap((element) => {
      const style = getComputedStyle(element);
      const isDrawn = element instanceof SVGElement;
      const ground = isDrawn && element.matches('.state')
        ? parts(getComputedStyle(element.previousElementSibling).fill)
        : behind(element);
      const [one, other] = [luminance(parts(isDrawn ? style.fill : style.color)), luminance(ground)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      return contrast < 4.5 ? [element.className + ' ' + element.textContent.slice(0, 40) + ' ' + contrast] : [];
    });
})()`;
