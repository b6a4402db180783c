import type { Page } from 'playwright-core';

/** What a browser computes for each element: what people see, after transitions. */
const computed = `(() => {
  for (const one of document.getAnimations()) one.finish();
  const names = ['color', 'background-color', 'background-image', 'display', 'width', 'font-family', 'font-size', 'font-weight'];
  return [...document.querySelectorAll('body, body *:not(style)')].map((element) => {
    const style = getComputedStyle(element);
    return element.localName + '.' + element.className + ' ' +
      names.map((name) => name + ': ' + style.getPropertyValue(name)).join('; ');
  });
})()`;

/**
 * How a browser shows each element of an email, at three widths, light and dark: a line for each element, with its
 * name and its values.
 */
export async function looksOf(page: Page, html: string): Promise<string[]> {
  const looks: string[] = [];
  await page.setContent(html, { waitUntil: 'load' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 600, 1000]) {
      await page.setViewportSize({ width, height: 600 });
      // The script returns strings.
      const shown = (await page.evaluate(computed)) as string[];
      looks.push(...shown.map((one, index) => `${width} ${colorScheme} ${index} ${one}`));
    }
  }
  return looks;
}

/** The looks that differ; widths may do so by rounding. */
export function differencesOf(
  before: readonly string[],
  after: readonly string[],
): readonly { readonly before: string | undefined; readonly after: string | undefined }[] {
  const rounded = (look = '') =>
    look.replace(/\bwidth: ([\d.]+)px/, (_, width) => `width: ${Math.round(Number(width))}`);
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    before: before[index],
    after: after[index],
  })).filter((one) => rounded(one.before) !== rounded(one.after));
}
