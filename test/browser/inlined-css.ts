import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { fileIn } from '../support/connected.ts';
import { differencesOf, looksOf } from '../support/looks.ts';
import { root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';

/** A shop's template, with what a `style` attribute cannot hold. */
const template = `<!doctype html>
<html><head><meta charset="utf-8"><title>Tea</title>
<style>
  @import url("https://fonts.example/tea.css");
  :root { --brand: #7a1f3d; }
  body { margin: 0; background: #eeeeee; font-family: sans-serif; }
  table { border-collapse: collapse; }
  .col { width: 50%; padding: 10px; vertical-align: top; }
  .col p { margin: 0 0 8px; line-height: 1.4; }
  h1, h1:hover { color: var(--brand); }
  h1::after { content: " of March"; color: #888888; }
  tr:nth-child(even) { background: #ffffff; }
  .price { border: 2px solid #636b63; border-style: dashed; }
  .soft { background: #f0e0d0; }
  .soft.new { background: gradient-of-tomorrow(red); }
  .wide-only { color: green; }
  .narrow-only { display: none; }
  [data-ogsc] p { color: #ffffff !important; }
  u + .body p { color: blue; }
  @supports (display: grid) { .card { border-left: 6px solid var(--brand); } }
  @media only screen and (max-width: 600px) {
    .col { display: block; width: 100%; }
    .wide-only { display: none; }
    .narrow-only { display: block; }
  }
</style>
<style media="print">.screen { display: none; }</style>
<style media="screen and (max-width: 600px)">.col { background: #ddeedd; } #buy:checked + p { color: red; }</style>
<style type="text/css" media="all">.button { background: #7a1f3d; color: #ffffff !important; padding: 8px; }</style>
</head><body class="body">
<h1>News</h1>
<p class="screen card">Dear Ana</p>
<table><tr><td class="col"><p>Assam</p><a class="button" href="https://shop.example/" style="color: black">Buy</a></td>
<td class="col"><p>Sencha</p></td></tr><tr><td class="col price" style="border: 1px dashed solid">6.50</td><td class="col">8.20</td></tr></table>
<p class="soft new">New</p><p class="wide-only">Wide</p><p class="narrow-only">Narrow</p>
<input type="checkbox" id="buy" checked><p>Chosen</p>
</body></html>`;

/** Pages of what people found changed, and of the techniques of public templates, which are our own. */
const folder = join(root, 'test/browser/fixtures');
const pages: [name: string, html: string][] = readdirSync(folder).map((file) => [
  basename(file, '.html'),
  readFileSync(join(folder, file), 'utf8'),
]);
const page = (css: string, body: string) =>
  `<html><head><style>${css}</style></head><body>${body}</body></html>`;
pages.push(
  [
    'HTML comments around rules',
    page(
      '<!--\n.hero { background: #0b57d0; color: #fff; font: bold 22px Arial }\n.b { color: #c00 }\n-->',
      '<div class="hero">Spring sale <a class="b" href="https://a.example/">Shop now</a></div>',
    ),
  ],
  [
    'declarations for old browsers',
    page(
      '.btn { display: inline-block; *display: inline; *zoom: 1; width: 90px; _width: 10px }',
      '<a class="btn" href="https://a.example/">Confirm</a><p style="*display: none; margin: 0">x</p>',
    ),
  ],
  [
    'media rules before the base rule',
    page(
      `@media (prefers-color-scheme: dark) { .card { background: #222 } }
      @media (min-width: 500px) { .t { font-size: 20px } } .card { background: #fff; color: #222 } .t { font-size: 14px }`,
      '<div class="card"><p class="t">Card</p></div>',
    ),
  ],
  [
    'layers',
    page(
      `@layer base, utilities; @layer base { h1 { font-size: inherit; color: #333 } }
      @layer utilities { .red { color: #c00 } } h1 { line-height: 1.2; font-size: 30px }`,
      '<h1 class="red">Head</h1>',
    ),
  ],
);

describeInBrowser('inlined CSS of templates', () => {
  test.each(pages)('%s: each element looks as before', async (_, html) => {
    const world = createWorld();
    fileIn(world, 'a.html', html);
    const line =
      'email send --from a@example.com --to b@example.org --subject s --literal --preview --json';
    const { stdout, stderr } = await world.run(`${line} --html-file a.html --inline-css`);
    const inlined = JSON.parse(stdout || stderr).html;
    expect(inlined).toContain(' style="');
    const tab = await openPage();
    const before = await looksOf(tab, html);
    expect(differencesOf(before, await looksOf(tab, inlined))).toEqual([]);
  });
});

describeInBrowser('inlined CSS', () => {
  test('an email looks as before, on a wide and a narrow screen', async () => {
    const world = createWorld();
    fileIn(world, 'shop.html', template);
    const { stdout, stderr } = await world.run(
      'email send --from a@example.com --to b@example.org --subject s --html-file shop.html --inline-css --preview --json',
    );
    expect(stderr).toBe('');
    const { html } = JSON.parse(stdout);
    expect(html).toContain('class="col" style="');
    const page = await openPage();
    const picturesOf = async (html: string) => {
      await page.setContent(html, { waitUntil: 'domcontentloaded' });
      const pictures: string[] = [];
      for (const width of [1000, 400]) {
        await page.setViewportSize({ width, height: 600 });
        pictures.push((await page.screenshot()).toString('base64'));
      }
      return pictures;
    };
    const [wide, narrow] = await picturesOf(html);
    const [wideBefore, narrowBefore] = await picturesOf(template);
    expect([wide === wideBefore, narrow === narrowBefore]).toEqual([true, true]);
    expect(wide).not.toBe(narrow);
  });
});
