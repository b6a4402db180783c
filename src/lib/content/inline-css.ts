import juice from 'juice/client';
import { readHtml } from '../../shared/check/read-html.ts';
import { declarationsIn } from './css-rules.ts';
import { familyOf, outrankInlined } from './outrank-inlined.ts';

/** What a program may know and this one does not: how the reader uses the email, and parts of elements. */
const notInlined = [
  ...['hover', 'active', 'focus', 'focus-within', 'focus-visible', 'visited', 'link', 'target'],
  ...['checked', 'indeterminate', 'disabled', 'enabled', 'required', 'optional', 'default'],
  ...['valid', 'invalid', 'in-range', 'out-of-range', 'read-only', 'read-write', 'lang', 'dir'],
  ...['before', 'after', 'first-letter', 'first-line', 'marker', 'selection', 'placeholder'],
];
juice.ignoredPseudos.splice(0, Infinity, ...notInlined);

/**
 * Moves the CSS of `<style>` elements into `style` attributes, for mail programs that only read these. What an
 * attribute cannot hold stays in place and in order: at-rules, style sheets for some media, pseudo-classes, and
 * selectors that apply to nothing here, such as those that one mail program alone applies. Comments, templates
 * and entities do not change. Where both set a property, what stays becomes `!important`, as it won before.
 * `dropsUnused` leaves out rules that apply to nothing, as those of a layout made for every email.
 */
export function inlineCss(html: string, { dropsUnused = false } = {}): string {
  const inlined = juice(withSomeMediaKept(html), {
    applyWidthAttributes: false,
    applyHeightAttributes: false,
    // A later value may be one that a program does not know, and then the earlier one counts.
    inlineDuplicateProperties: true,
    removeStyleTags: dropsUnused,
    removeInlinedSelectors: !dropsUnused,
    preservedSelectors: selectorsOfVariables(html),
  });
  const families = new Set(
    readHtml(inlined).elements.flatMap(({ attributes }) =>
      [...declarationsIn(attributes.get('style')?.value ?? '').keys()].map(familyOf),
    ),
  );
  return inlined.replace(
    /(<style\b[^>]*>)([\s\S]*?)(<\/style)/gi,
    (_, start: string, css: string, end: string) => start + outrankInlined(css, families) + end,
  );
}

/** Marks the style sheets that are for some media only, so that juice leaves them as they are. */
function withSomeMediaKept(html: string): string {
  let marked = '';
  let from = 0;
  for (const { name, at, attributes } of readHtml(html).elements) {
    const media = attributes.get('media')?.value.trim().toLowerCase() ?? '';
    if (name !== 'style' || media === '' || media === 'all') continue;
    const end = at + '<style'.length;
    marked += `${html.slice(from, end)} data-embed`;
    from = end;
  }
  return marked + html.slice(from);
}

/** Selectors of rules with custom properties, which the rules that stay may use. */
function selectorsOfVariables(html: string): string[] {
  if (!html.includes('var(')) return [];
  const rules = html.matchAll(/([^{}<>;]{1,1000})\{[^{}]*?(?<![\w-])--[\w-]+\s*:/g);
  return [...rules].flatMap(([, selectors = '']) =>
    selectors
      .replace(/\/\*.*?\*\//gs, '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );
}
