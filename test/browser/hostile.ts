import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { campaign, email } from '../sandbox/harness.ts';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { serveInbox } from '../support/inbox.ts';
import { patience } from '../support/patience.ts';

/** What a message's script prints if it runs. */
const cry = 'a script ran';

/** Another server, which records its connections and requests, and serves one page. */
async function startTracker(html = '<title>elsewhere</title>') {
  const requests: { path: string; referer: string | undefined }[] = [];
  let connections = 0;
  const server = createServer(({ url = '', headers: { referer } }, response) => {
    requests.push({ path: url, referer });
    response.setHeader('Content-Type', 'text/html').end(html);
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, requests, connections: () => connections };
}

/** All kinds of scripts that run without a click. */
const scripts = `
<script>console.log('${cry}')</script>
<script src="data:text/javascript,console.log('${cry}')"></script>
<img src="data:," onerror="console.log('${cry}')">
<svg onload="console.log('${cry}')"><script>console.log('${cry}')</script></svg>
<body onload="console.log('${cry}')">
<input autofocus onfocus="console.log('${cry}')">
<details open ontoggle="console.log('${cry}')"><summary>x</summary></details>
<iframe srcdoc="<script>console.log('${cry}')</script>"></iframe>
<iframe src="javascript:console.log('${cry}')"></iframe>
<object data="data:text/html,<script>console.log('${cry}')</script>"></object>
<style>@keyframes a { from { color: red } }</style>
<p style="animation: a 1ms" onanimationstart="console.log('${cry}')">x</p>`;

/** All kinds of resources that a page loads from another server. */
function loads(url: string): string {
  return `<base href="${url}/base/">
<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">
<link rel="stylesheet" href="${url}/link.css"><link rel="prefetch" href="${url}/prefetch">
<link rel="preload" as="image" href="${url}/preload"><link rel="icon" href="${url}/icon">
<style>@import "${url}/import.css"; @font-face { font-family: f; src: url("${url}/font") }
p { font-family: f; background: url("${url}/background") } li { list-style: url("${url}/list") }
</style>
<p>Text</p><ul><li>x</li></ul><img src="${url}/img"><img srcset="${url}/srcset 1x"><img src="relative">
<picture><source srcset="${url}/source"><img></picture><video poster="${url}/poster" src="${url}/video"
autoplay></video><audio src="${url}/audio" autoplay></audio><embed src="${url}/embed">
<object data="${url}/object"></object><iframe src="${url}/iframe"></iframe>
<svg><image href="${url}/svg"/><use href="${url}/use#x"/></svg><table background="${url}/table"></table>
<input type="image" src="${url}/input">`;
}

/** Opens the page of a new message, and records the scripts that run. */
async function openMessage(
  fields: Record<string, unknown> | ((origin: string) => Record<string, unknown>),
) {
  const service = await serveInbox();
  const body = email(typeof fields === 'function' ? fields(service.origin) : fields);
  const reply = await service.request('POST', '/emails', { body });
  expect(reply.status, reply.text).toBe(200);
  // A response with status 200 has this shape.
  const { emailId } = reply.body as { emailId: string };
  const page = await openPage();
  const cries = listen(page);
  const url = `${service.origin}/messages/${emailId}`;
  await page.goto(url);
  return { ...service, emailId, page, cries, url };
}

function listen(page: Page): string[] {
  const cries: string[] = [];
  page.context().on('console', (message) => {
    if (message.text() === cry) cries.push(message.text());
  });
  return cries;
}

/** Waits until the message is shown and no request is pending. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForLoadState('networkidle');
}

const frame = (page: Page) => page.frameLocator('iframe.paper');

describeInBrowser('a hostile message', () => {
  test('would do harm on an ordinary page, so the tests can fail', async () => {
    const tracker = await startTracker();
    const page = await openPage();
    const cries = listen(page);
    await page.setContent(scripts + loads(tracker.url));
    await expect.poll(() => cries.length).toBeGreaterThan(5);
    await expect.poll(() => tracker.requests.length).toBeGreaterThan(10);
  });

  test('runs no script, makes no connection, and neither navigates nor submits, in its frame or as a page', async () => {
    const tracker = await startTracker();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const { page, cries, url } = await openMessage((origin) => ({
      html: `<meta http-equiv="refresh" content="0;url=${tracker.url}/refresh">
        ${scripts}${loads(tracker.url)}<script>top.location = 'about:blank'</script>
        <a id="a" href="javascript:console.log('${cry}')">a</a>
        <a id="b" href="javascript:console.log('${cry}')" target="_self">b</a>
        <a id="c" href=" jAvascript&#58;console.log('${cry}')" target="_top">c</a>
        <a id="d" href="data:text/html,<script>console.log('${cry}')</script>">d</a>
        <a id="e" href="data:text/html,<script>console.log('${cry}')</script>" target="_self">e</a>
        <form method="post" action="${tracker.url}/form"><button>one</button></form>
        <form method="post" action="${origin}/api/v1/emails" enctype="text/plain"><button>two</button></form>
        <form method="post" action="${origin}/unsubscribe/x" target="_top"><button>three</button></form>
        <p id="end">End</p>`,
    }));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    const shown = () => [page.url(), page.frame({ url: `${url}/html` })?.url()];
    await frame(page).locator('#end').waitFor();
    await settled(page);
    expect(shown()).toEqual([url, `${url}/html`]);
    expect(await page.title()).toBe('Hello · mailer sandbox');
    for (const name of ['one', 'two', 'three']) await frame(page).getByText(name).click();
    await settled(page);
    expect(shown()).toEqual([url, `${url}/html`]);
    for (const id of ids) await frame(page).locator(`#${id}`).click();
    await settled(page);
    expect(page.url()).toBe(url);

    await page.goto(`${url}/html`);
    await page.locator('#end').waitFor();
    for (const id of ['a', 'd']) await page.locator(`#${id}`).click();
    await settled(page);
    expect(page.url()).toBe(`${url}/html`);
    expect({ cries, sent, requests: tracker.requests }).toEqual({
      ...{ cries: [], sent: [], requests: [] },
    });
    expect(tracker.connections()).toBe(0);
  });

  test('loads images, and nothing else, only once that is allowed for it', async () => {
    const tracker = await startTracker();
    const own = await openMessage({ html: '<p>Hi</p>' });
    await own.ok('campaign.create', { body: { ...campaign(), sendNow: true } });
    own.advance(1000);
    const { data } = await own.ok('email.list', { query: { limit: 1 } });
    const unsubscribe = `${own.origin}/unsubscribe/${data[0]?.id}`;
    const statuses: number[] = [];
    own.page.on('response', (response) => {
      if (response.url() === unsubscribe) statuses.push(response.status());
    });
    const html = `${loads(tracker.url)}<img src="${unsubscribe}"><p id="end">End</p>`;
    const { emailId } = await own.ok('email.send', { body: email({ html }) });
    const { page } = own;
    await page.goto(`${own.origin}/messages/${emailId}`);
    await settled(page);
    expect(tracker.connections()).toBe(0);
    await page.getByRole('link', { name: 'Load them for this message' }).click();
    await page.getByText('Remote images are loaded').waitFor();
    await settled(page);
    const paths = new Set(tracker.requests.map(({ path }) => path));
    expect(paths).toContain('/img');
    for (const path of ['/link.css', '/import.css', '/font', '/iframe', '/audio', '/object']) {
      expect(paths).not.toContain(path);
    }
    expect(tracker.requests.filter(({ referer }) => referer !== undefined)).toEqual([]);
    // A message cannot use this server with an image.
    expect(statuses).toEqual([403]);
    // The choice is not remembered.
    tracker.requests.length = 0;
    await page.goto(`${own.origin}/messages/${emailId}`);
    await page.getByText('Remote images are blocked').waitFor();
    await settled(page);
    expect(tracker.requests).toEqual([]);
  });

  test('opens links in a tab without access to this one', async () => {
    const tracker = await startTracker();
    const html = `<base href="${tracker.url}/base/" target="_self">
      <a href="${tracker.url}/link" rel="opener">link</a>
      <a href="${tracker.url}/top" target="_top">top</a>
      <a href="${tracker.url}/self" target="_self">self</a>`;
    const { page, url } = await openMessage({ html });
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      frame(page).getByText('link').click(),
    ]);
    await tab.waitForLoadState();
    expect(tab.url()).toBe(`${tracker.url}/link`);
    // The only thing it could reach is a frame without rights.
    expect(
      await tab.evaluate('(() => { try { return opener.document } catch { return 0 } })()'),
    ).toBe(0);
    for (const link of ['top', 'self']) await frame(page).getByText(link).click();
    await settled(page);
    expect(page.url()).toBe(url);
    expect(tracker.requests.filter(({ path }) => path !== '/favicon.ico')).toEqual([
      { path: '/link', referer: undefined },
    ]);
  });

  test('stays in its frame', async () => {
    const html = `"></iframe></article><h1 id="out">Out</h1>'/><!-- </textarea></title>
      <style>* { position: fixed !important; inset: 0; z-index: 2147483647; background: red }</style>`;
    const { page } = await openMessage({ html });
    await frame(page).locator('#out').waitFor({ state: 'attached' });
    expect(await page.locator('#out').count()).toBe(0);
    const covering = `(() => {
      const { x, y } = document.querySelector('nav a').getBoundingClientRect();
      return document.elementFromPoint(x + 5, y + 5).textContent;
    })()`;
    expect(await page.evaluate(covering)).toBe('Messages');
  });

  test('has a subject, names and a text that are shown as text, and attachments that are saved under a safe name', async () => {
    const evil = `</title></a></pre><script>console.log('${cry}')</script><img src=x onerror="console.log('${cry}')">`;
    const script = Buffer.from(`<script>console.log('${cry}')</script>`).toString('base64');
    const { page, cries, url, origin } = await openMessage({
      from: `"<svg onload=console.log('${cry}')>" <shop@example.com>`,
      subject: evil,
      text: `${evil} javascript:console.log('${cry}')`,
      headers: { 'X-Evil': evil },
      attachments: [
        { filename: evil, content: 'aGk=' },
        { filename: '../../x', content: script },
        { filename: 'page.html', content: script },
      ],
    });
    for (const view of ['text', 'source', 'headers', 'events', 'attachments']) {
      await page.goto(`${url}?view=${view}`);
      expect(await page.locator('h1').textContent()).toBe(evil);
    }
    for (const [position, name] of ['x', 'page.html'].entries()) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .locator('.files a')
          .nth(position + 1)
          .click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
    }
    await page.goto(`${origin}/?q=${encodeURIComponent('</title>')}`);
    expect(await page.locator('.row-subject').first().textContent()).toBe(evil);
    await settled(page);
    expect(cries).toEqual([]);
  });

  test('of 5 MB is shown', async () => {
    // Most of it in an image, because to lay out as much text takes seconds.
    const image = `<img alt="" src="data:image/png;base64,${'iVBO'.repeat(1_250_000)}">`;
    const html = `${'<p>Some words in a paragraph.</p>'.repeat(4_000)}${image}<p id="end">End</p>`;
    expect(html.length).toBeGreaterThan(5_000_000);
    const { page } = await openMessage({ html, text: undefined });
    await frame(page).locator('#end').waitFor({ state: 'attached', timeout: patience });
    await frame(page).locator('#end').scrollIntoViewIfNeeded();
    expect(await frame(page).locator('#end').textContent()).toBe('End');
  });
});

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
    const { port } = await startTracker(`<img src="${link}"><iframe src="${link}?frame"></iframe>
        <script src="${origin}/control"></script><img src="${origin}/?q=secret">
        <object data="${link}?object"></object><link rel="stylesheet" href="${origin}/assets/style.css">
        <a href="${link}">link</a>`);
    await page.goto(`http://localhost:${port}/`);
    await page.waitForLoadState('load');
    await expect.poll(() => Object.keys(statuses).length).toBeGreaterThan(4);
    expect(new Set(Object.values(statuses))).toEqual(new Set([403]));
    expect(await subscribed()).toBe('0');

    await page.getByText('link').click();
    await page.getByText('You are unsubscribed').waitFor();
    expect(await subscribed()).toBe('1');
  });
});
