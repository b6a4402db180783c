import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, openPage } from '../support/browser.ts';
import { root } from '../support/process.ts';

const svg = readFileSync(join(root, 'docs', 'recording.svg'), 'utf8');
const rows = svg.split('<text ').length - 1;

/** How many rows of the recording are visible at a time, in milliseconds. */
async function rowsAt(page: Page, time: number): Promise<number> {
  // A string, because its names exist only in the browser.
  return await page.evaluate<number>(`
    for (const one of document.getAnimations()) {
      one.pause();
      one.currentTime = ${time};
    }
    [...document.querySelectorAll('.row')].filter((row) => {
      const { visibility, clipPath } = getComputedStyle(row);
      return visibility === 'visible' && !clipPath.includes('100%');
    }).length`);
}

async function openRecording(options?: { reducedMotion: 'reduce' }): Promise<Page> {
  const page = await openPage(options);
  await page.setContent(svg);
  return page;
}

describeInBrowser('the recording', () => {
  test('begins with the whole text for still images, then plays in a loop', async () => {
    const page = await openRecording();
    const timings = await page.evaluate<{ duration: number; endless: boolean }[]>(`
      document.getAnimations().map((one) => {
        const { iterations, duration } = one.effect.getComputedTiming();
        return { duration, endless: iterations === Infinity };
      })`);
    const [{ duration, endless } = { duration: 0, endless: false }] = timings;
    expect(endless).toBe(true);
    expect(timings.filter((one) => one.duration !== duration || !one.endless)).toEqual([]);
    expect(await rowsAt(page, 0)).toBe(rows);
    // Just after the recording is cleared, and halfway.
    expect(await rowsAt(page, 4005)).toBe(0);
    const half = await rowsAt(page, duration / 2);
    expect(half).toBeGreaterThan(2);
    expect(half).toBeLessThan(rows);
    expect(await rowsAt(page, duration - 1)).toBe(rows);
  });

  test('does not move with reduced motion, nor on paper', async () => {
    const page = await openRecording({ reducedMotion: 'reduce' });
    expect(await rowsAt(page, 5000)).toBe(rows);
    const printed = await openRecording();
    await printed.emulateMedia({ media: 'print' });
    expect(await rowsAt(printed, 5000)).toBe(rows);
  });
});
