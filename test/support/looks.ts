import type { Page } from 'playwright-core';

/** What a browser computes for each element: what people see, after transitions. */
const computed = `(() => {
  for (const one of document.getAnimations()) one.finish();
  const names = ['color', 'background-color', 'background-image', 'display', 'width', 'font-family', 'font-size', 'font-weight', 'margin', 'padding', 'border-top', 'border-radius', 'line-height', 'text-align', 'text-decoration-line', 'visibility', 'overflow-wrap'];
  return [...document.querySelectorAll('body, body *:not(style)')].map((element) => {
    const style = getComputedStyle(element);
    return element.localName + '.' + element.className + ' ' +
      names.map((name) => name + ': ' + style.getPropertyValue(name)).join('; ');
  });
})()`;

/** How a browser shows an element, at a width, light or dark. */
export interface Look {
  readonly element: number;
  readonly shown: string;
}

/** How a browser shows each element of an email, at three widths, light and dark. */
export async function looksOf(page: Page, html: string): Promise<Look[]> {
  const looks: Look[] = [];
  await page.setContent(html, { waitUntil: 'load' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 600, 1000]) {
      await page.setViewportSize({ width, height: 600 });
      // The script returns strings.
      const shown = (await page.evaluate(computed)) as string[];
      looks.push(
        ...shown.map((one, element) => ({ element, shown: `${width} ${colorScheme} ${one}` })),
      );
    }
  }
  return looks;
}

/** The looks that differ; widths may do so by rounding. */
export function differencesOf(before: readonly Look[], after: readonly Look[]) {
  const rounded = (look?: Look) =>
    look?.shown.replace(/\bwidth: ([\d.]+)px/, (_, width) => `width: ${Math.round(Number(width))}`);
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    element: (before[index] ?? after[index])?.element,
    before: before[index]?.shown,
    after: after[index]?.shown,
  })).filter((_, index) => rounded(before[index]) !== rounded(after[index]));
}
