import juice from 'juice/client';
import { atRule, parse, type Rule, rule } from 'postcss';
import {
  type Edit,
  notInlined,
  readStyles,
  type SheetDeclaration,
  withBraces,
} from './read-styles.ts';
import { settleCascade } from './settle-cascade.ts';

juice.ignoredPseudos.splice(0, Infinity, ...notInlined);

/** A declaration that stays in its style sheet though an attribute could hold it, by its offset in the sheet. */
export type Kept = Pick<SheetDeclaration, 'property' | 'sheet' | 'at'>;

/**
 * Moves the CSS of `<style>` elements into `style` attributes, for mail programs that only read these. What an
 * attribute cannot hold stays in place and in order: at-rules, style sheets for some media, pseudo-classes, and
 * selectors that apply to nothing here, such as those that one mail program alone applies. Comments, templates
 * and entities do not change. Where both set a property, what stays becomes `!important` if it won before, and where
 * that would change what people see, all of it stays (`kept`).
 * `dropsUnused` leaves out rules that apply to nothing, as those of a layout made for every email.
 */
export function inlineCss(html: string, { dropsUnused = false } = {}) {
  const { edits, sheets, uses, declarations, lasting, resolves } = readStyles(html);
  settleCascade(uses, lasting);
  const places = new Map<unknown, Rule>();
  for (const { property, isMarked, stays, isInlinable, node, selector } of declarations) {
    const own = stays ? node : node.clone();
    if (isMarked) own.important = true;
    // What stays may use variables.
    if (!isInlinable || !(isMarked || stays || property.startsWith('--'))) continue;
    const { parent } = node;
    const place = places.get(parent) ?? rule({ selector });
    if (place.parent === undefined) {
      parent?.after(atRule({ name: 'media', params: keptHere }).append(place));
      places.set(parent, place);
    }
    place.append(own);
    if (parent?.nodes.length === 0) parent.remove();
  }
  const kept = declarations.filter(({ stays, isInlinable }) => stays && isInlinable);
  for (const { at, text, root } of sheets) {
    const css = withBraces(root.toString());
    if (css !== text) edits.push([at, text.length, css]);
  }
  const inlined = juice(edited(html, edits), {
    applyWidthAttributes: false,
    applyHeightAttributes: false,
    // A later value may be one that a program does not know, and then the earlier one counts.
    inlineDuplicateProperties: true,
    removeStyleTags: dropsUnused,
    removeInlinedSelectors: !dropsUnused,
    resolveCSSVariables: resolves,
  });
  return {
    html: withoutKeptHere(inlined),
    kept: kept.filter(({ property }) => !property.startsWith('--')),
  };
}

/** The condition of a media query that keeps rules from the inliner. */
const keptHere = 'zqkept';

function withoutKeptHere(html: string): string {
  return html.replace(
    /(<style\b[^>]*>)([\s\S]*?)(?=<\/style)/gi,
    (all, start: string, css: string) => {
      if (!css.includes(keptHere)) return all;
      const root = parse(css);
      root.walkAtRules('media', (one) => {
        if (one.params === keptHere) one.replaceWith(one.nodes);
      });
      return `${start}${root}`;
    },
  );
}

function edited(html: string, edits: readonly Edit[]): string {
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((all, [at, length, text]) => all.slice(0, at) + text + all.slice(at + length), html);
}
