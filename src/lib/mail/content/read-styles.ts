import { TokenType, tokenize } from '@csstools/css-tokenizer';
import { selectorSpecificity } from '@csstools/selector-specificity';
import { load } from 'cheerio/slim';
import postcss, { type Declaration, type Root, type Rule } from 'postcss';
import nesting from 'postcss-nesting';
import safeParse from 'postcss-safe-parser';
import parseSelector from 'postcss-selector-parser';
import { bracedWord, withoutBraces } from '../../../shared/check/read-css.ts';
import { declarationsIn } from './css-rules.ts';
import { addTo, type StyleDeclaration, type Use } from './settle-cascade.ts';

/** What a program may know and this one does not: how the reader uses the email, and parts of elements. */
export const notInlined = [
  ...['hover', 'active', 'focus', 'focus-within', 'focus-visible', 'visited', 'link', 'target'],
  ...['checked', 'indeterminate', 'disabled', 'enabled', 'required', 'optional', 'default'],
  ...['valid', 'invalid', 'in-range', 'out-of-range', 'read-only', 'read-write', 'lang', 'dir'],
  ...['before', 'after', 'first-letter', 'first-line', 'marker', 'selection', 'placeholder'],
];

const dynamic = new RegExp(`::?(?:${notInlined.join('|')})(?![\\w-])(?:\\([^()]*\\))?`, 'gi');
const part = /::|:(?:before|after|first-letter|first-line)(?![\w-])/i;

/** Elements that get no attributes. */
const unseen = ['head', 'title', 'base', 'link', 'style', 'meta', 'script', 'noscript'];

/** A style sheet of the HTML, by the offset of its text. */
interface Sheet {
  readonly at: number;
  readonly text: string;
  readonly root: Root;
}

/** A declaration in a style sheet. */
export interface SheetDeclaration extends StyleDeclaration {
  readonly node: Declaration;
  /** The text of its style sheet, and its offset there. */
  readonly sheet: string;
  readonly at: number;
  /** The selectors of its rule as they are written. */
  readonly selector: string;
  /** Whether it became an attribute if it did not stay. */
  readonly isInlinable: boolean;
}

/** Text that replaces some of the HTML. */
export type Edit = readonly [at: number, length: number, text: string];

/**
 * Reads the style sheets and `style` attributes of an email. The edits, and the style sheets as they are read, are
 * what an inliner takes for the same as browsers do.
 */
export function readStyles(html: string) {
  const words = html.replace(bracedWord, (one) => 'z'.repeat(one.length));
  const $ = load(words, { xml: { decodeEntities: false, xmlMode: false, withStartIndices: true } });
  const matched = createMatcher((selector) =>
    $(selector)
      .toArray()
      .filter((one) => !('name' in one && unseen.includes(one.name))),
  );
  const edits: Edit[] = [];
  const uses: Use[] = [];
  const declarations: SheetDeclaration[] = [];
  const lasting = new Set<object>();
  /** The values of variables; undefined where the inliner does not know them. */
  const variables = new Map<string, (string | undefined)[]>();
  const inAttributes: string[] = [];
  let order = 0;

  for (const element of $('[style]').toArray()) {
    const { style = '' } = element.attribs;
    const start = element.startIndex ?? 0;
    for (const [property, { value, isImportant }] of declarationsIn(style)) {
      const declared = { ...plain, property, isImportant, isInSheet: false, stays: false };
      const rank = [Number(isImportant), 1];
      uses.push({ declared, elements: [element], isElsewhere: false, rank });
      inAttributes.push(property, value);
      if (property.startsWith('--')) addTo(variables, property, undefined);
      if (isImportant) lasting.add(element);
    }
    if (lasting.has(element)) {
      edits.push([start + 1 + element.name.length, 0, ' data-juice-important']);
    }
    attribute.lastIndex = start;
    attribute.test(words);
    const at = words.indexOf(style, attribute.lastIndex);
    for (const { index, 0: text } of style.matchAll(hackInAttribute)) {
      edits.push([at + index, text.length, '']);
    }
  }

  const readRule = (
    rule: Rule,
    { text, isForSome }: { readonly text: string; readonly isForSome: boolean },
  ) => {
    const around = atRulesAround(rule);
    if (around.some((name) => name.endsWith('keyframes'))) return;
    rule.each((node) => {
      if (node.type === 'decl' && /[*_]$/.test(node.raws.before ?? '')) node.remove();
    });
    if (rule.nodes.length === 0) {
      rule.remove();
      return;
    }
    const { selectors } = rule;
    const isClear = selectors.every((one) => part.test(one) || matched(one.replace(dynamic, '')));
    const isInlined = (one: string) =>
      isClear &&
      !isForSome &&
      around.length === 0 &&
      one.search(dynamic) === -1 &&
      (matched(one)?.length ?? 0) > 0;
    const inlined = selectors.filter(isInlined);
    if (inlined.length > 0 && inlined.length < selectors.length) {
      rule.cloneAfter({ selectors: selectors.filter((one) => !isInlined(one)) });
      rule.selectors = inlined;
    }
    const isInlinable = inlined.length > 0;
    const places = rule.selectors.map((one) => ({
      elements: isInlinable ? (matched(one) ?? []) : mayMatch(one, matched),
      isElsewhere: !isInlinable && matched(one.replace(dynamic, ''))?.length === 0,
      specificity: specificityOf(one),
    }));
    const { selector } = rule;
    if (isInlinable) rule.selectors = rule.selectors.map(countingPseudoClasses);
    const isLayered = around.includes('layer');
    rule.each((node) => {
      if (node.type !== 'decl') return;
      const { value, important: isImportant = false, source } = node;
      const property = node.prop.startsWith('--') ? node.prop : node.prop.toLowerCase();
      const isUnclear =
        property === 'all' ||
        /\brevert-layer\b/i.test(value) ||
        around.some((name) => unclear.has(name));
      const declared = {
        ...{ ...plain, property, isImportant, isLayered, isUnclear, isInSheet: true },
        ...{ node, sheet: text, at: source?.start?.offset ?? 0, selector, isInlinable },
        stays: !isInlinable || isUnclear,
      };
      declarations.push(declared);
      if (property.startsWith('--')) addTo(variables, property, isInlinable ? value : undefined);
      order++;
      for (const { elements, isElsewhere, specificity } of places) {
        const layer = Number(isLayered === isImportant);
        const rank = [Number(isImportant), 0, layer, ...specificity, order];
        uses.push({ declared, elements, isElsewhere, rank });
      }
    });
  };

  const sheets: Sheet[] = [];
  for (const element of $('style').toArray()) {
    const media = element.attribs.media?.trim().toLowerCase() ?? '';
    const isForSome = media !== '' && media !== 'all';
    const [content] = element.children;
    const at = content?.startIndex ?? 0;
    const text = content?.type === 'text' ? html.slice(at, at + content.data.length) : '';
    const root = rootOf(withoutHtmlMarks(withoutBraces(text)));
    if (isForSome || root === undefined) {
      edits.push([(element.startIndex ?? 0) + '<style'.length, 0, ' data-embed']);
    }
    if (root === undefined) continue;
    root.walkRules((rule) => readRule(rule, { text, isForSome }));
    sheets.push({ at, text, root });
  }

  /** Variables that have one value wherever they are used. Those that are never set are no concern. */
  const isSettled = (value: string) =>
    variablesIn(value).every((name) => {
      const [first, ...others] = variables.get(name) ?? [''];
      return first !== undefined && others.length === 0 && !first.includes('var(');
    });
  for (const declared of declarations) {
    const { property, node, isInlinable } = declared;
    if (!isInlinable) continue;
    if (!isSettled(property.startsWith('--') ? `var(${property})` : node.value))
      declared.stays = true;
  }
  // The inliner would lose those that attributes set.
  const resolves = inAttributes.every((one) => !one.startsWith('--') && isSettled(one));
  return { edits, sheets, uses, declarations, lasting, resolves };
}

const plain = { isLayered: false, isUnclear: false, isMarked: false };

/** At-rules whose rules win by what this program does not know. */
const unclear = new Set(['scope', 'starting-style']);

const attribute = /\sstyle\s*=/gi;
const hackInAttribute = /(?<=^|;)\s*[*_][^;]*;?/g;

/** Restores what `withoutBraces` replaced. */
export function withBraces(css: string): string {
  return css.replaceAll('\ue001', '{').replaceAll('\ue002', '}');
}

/** CSS without `<!--` and `-->`, which browsers skip. */
function withoutHtmlMarks(css: string): string {
  return tokenize({ css })
    .map(([type, text]) =>
      type === TokenType.CDO || type === TokenType.CDC ? ' '.repeat(text.length) : text,
    )
    .join('');
}

/** The rules of a style sheet, none in others; undefined for what is nested too deeply. */
function rootOf(css: string): Root | undefined {
  try {
    const { root } = postcss([nesting()]).process(css, { parser: safeParse, from: undefined });
    // This parser makes no documents.
    return root.type === 'root' ? root : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

type Matcher = (selector: string) => readonly object[] | undefined;

/** Remembers what selectors match; undefined if they are unknown. */
function createMatcher(match: (selector: string) => readonly object[]): Matcher {
  const known = new Map<string, readonly object[] | undefined>();
  return (selector) => {
    if (!known.has(selector)) {
      try {
        known.set(selector, match(selector));
      } catch {
        known.set(selector, undefined);
      }
    }
    return known.get(selector);
  };
}

/** The elements to which a rule may apply, in any state, and in mail programs that put others around them. */
function mayMatch(selector: string, matched: Matcher): readonly object[] {
  if (part.test(selector)) return [];
  const elements = matched(selector.replace(dynamic, '') || '*');
  if (elements !== undefined && elements.length > 0) return elements;
  const last =
    parsed(selector)
      ?.split((node) => node.type === 'combinator')
      .at(-1) ?? [];
  const own = last.filter(({ type }) => type !== 'pseudo' && type !== 'combinator');
  return matched(own.join('').trim() || '*') ?? [];
}

function specificityOf(selector: string): readonly number[] {
  const node = parsed(selector);
  if (node === undefined) return [0, 0, 0];
  const { a, b, c } = selectorSpecificity(node);
  return [a, b, c];
}

/** A selector whose pseudo-classes count as much as classes, which juice counts as elements. */
function countingPseudoClasses(selector: string): string {
  const node = parsed(selector);
  node?.walkPseudos((pseudo) => {
    if (/^:(?:is|not|has|where)$/i.test(pseudo.value)) return;
    pseudo.replaceWith(...(parsed(`:where(${pseudo}):not([zq])`)?.nodes ?? []));
  });
  return String(node ?? selector);
}

function parsed(selector: string) {
  try {
    return parseSelector().astSync(selector).nodes[0];
  } catch {
    return undefined;
  }
}

function variablesIn(value: string): string[] {
  return [...value.matchAll(/var\(\s*(--[^\s,)]+)/gi)].map(([, name = '']) => name);
}

function atRulesAround(rule: Rule): string[] {
  const names: string[] = [];
  for (let one = rule.parent; one?.type === 'atrule'; one = one.parent) {
    // What has this type has a name.
    names.push((one as unknown as { readonly name: string }).name.toLowerCase());
  }
  return names;
}
