import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import juice from 'juice/client';
import { chromium } from 'playwright-core';
import { differencesOf, looksOf } from '../test/support/looks.ts';
import type { Bench, Figure } from './lib/bench.ts';

/** The emails: those of a directory of one's own, or of the tests. */
const directory =
  process.env.MAILER_TEMPLATES ||
  fileURLToPath(new URL('../test/browser/fixtures', import.meta.url));
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

export const bench: Bench = {
  summary: (quick) =>
    `--inline-css of ${quick ? 1 : files().length} emails, as Chromium computes them`,
  async run({ quick }) {
    const emails = files(quick ? 1 : undefined).map((name) => ({
      name,
      html: readFileSync(join(directory, name), 'utf8'),
    }));
    // Ours changes what juice inlines, so it is loaded after juice alone has run.
    const alone = emails.map(({ html }) => juice(html));
    const { inlineCss } = await import('../src/lib/mail/content/inline-css.ts');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    await page.route('**', (route) => route.abort());
    const sums = { elements: 0, ours: 0, juice: 0 };
    const emailsWith = { ours: 0, juice: 0, kept: 0 };
    for (const [index, { name, html }] of emails.entries()) {
      const before = await looksOf(page, html);
      const changedIn = async (inlined: string) => {
        const found = differencesOf(before, await looksOf(page, inlined));
        return new Set(found.map(({ element }) => element)).size;
      };
      const { html: inlined, kept } = inlineCss(html);
      const ours = await changedIn(inlined);
      const others = await changedIn(alone[index] ?? '');
      sums.elements += new Set(before.map(({ element }) => element)).size;
      sums.ours += ours;
      sums.juice += others;
      emailsWith.ours += Number(ours > 0);
      emailsWith.juice += Number(others > 0);
      emailsWith.kept += Number(kept.length > 0);
      process.stderr.write(
        `  ${name}: ${ours}, juice alone ${others}, declarations that stay ${kept.length}\n`,
      );
    }
    await browser.close();
    const figure = (what: string, measured: number, juiced: number, all: number): Figure => ({
      ...{ what, measured: [measured], unit: 'pieces' },
      baselines: [
        { name: 'juice alone', measured: [juiced] },
        { name: 'all', measured: [all] },
      ],
    });
    return [
      figure('elements that look different', sums.ours, sums.juice, sums.elements),
      figure('emails with such elements', emailsWith.ours, emailsWith.juice, emails.length),
      {
        ...{ what: 'emails with CSS that stays', measured: [emailsWith.kept], unit: 'pieces' },
        baselines: [{ name: 'all', measured: [emails.length] }],
      },
    ];
  },
};

/** The emails with CSS in them. */
function files(most?: number): string[] {
  return readdirSync(directory)
    .filter(
      (name) =>
        /\.html?$/i.test(name) && /<style/i.test(readFileSync(join(directory, name), 'utf8')),
    )
    .slice(0, most);
}
