import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, describe, onTestFinished } from 'vitest';
import { type Need, needing, works } from './needs.ts';

/** The browser of the tests: from `CHROMIUM`, or Debian's. */
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

const browserThere: Need = {
  ...works(`'${executablePath}' --headless --no-sandbox --version`, 'chromium'),
  why: `there is no Chromium at ${executablePath} (Debian package chromium)`,
};

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

/** The pages of the file, by the options that cannot change later. */
const pages = new Map<string, Promise<Page>>();

/**
 * Like `describe`, but skipped if there is no Chromium. The browser ends with the file, so call this at its
 * top level.
 */
export function describeInBrowser(name: string, body: () => void): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
    pages.clear();
  });
  describe(name, needing(browserThere), body);
}

/** What a test chooses about its page, by default a window on an ordinary screen. */
interface PageOptions extends Pick<BrowserContextOptions, 'javaScriptEnabled'> {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  /** Whether the test can advance the page's clock, for which a script runs in each of its frames. */
  readonly hasClock?: boolean;
}

/**
 * A page, left when the test ends. The tests of a file share one browser, with a new user data directory,
 * and its pages: to open one takes as long as five visits.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { viewport, colorScheme, reducedMotion, ...lasting } = options;
  browser ??= chromium.launch({ executablePath, args });
  const key = JSON.stringify(lasting);
  const opened = pages.get(key) ?? open(await browser, lasting);
  pages.set(key, opened);
  const page = await opened;
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({
    media: null,
    colorScheme: colorScheme ?? null,
    reducedMotion: reducedMotion ?? null,
  });
  onTestFinished(async () => {
    await page.goto('about:blank');
  });
  return page;
}

/**
 * Clicks what leads to another page, and waits until that has loaded. A click by itself waits only until
 * the page has begun, when it may still lack its styles.
 */
export async function follow(link: Locator): Promise<void> {
  await link.click();
  await link.page().waitForLoadState();
}

async function open(
  started: Browser,
  { hasClock, ...options }: Omit<PageOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>,
): Promise<Page> {
  const page = await started.newPage(options);
  if (hasClock) await page.clock.install();
  return page;
}
