import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, describe, onTestFinished } from 'vitest';

/** The browser of the tests: from `CHROMIUM`, or Debian's. */
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

const hasBrowser = existsSync(executablePath);

if (!hasBrowser) {
  process.stderr.write(`No Chromium at ${executablePath}: not tested in a browser.\n`);
}

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Promise<Browser> | undefined;

/**
 * Like `describe`, but skipped if there is no Chromium. The browser ends with the file, so call this at its
 * top level.
 */
export function describeInBrowser(name: string, body: () => void): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
  describe.skipIf(!hasBrowser)(name, body);
}

/**
 * A page in a fresh profile, closed when the test ends. The tests of a file share one browser, started for
 * the first of them with a new user data directory.
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath, args });
  const context = await (await browser).newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}
