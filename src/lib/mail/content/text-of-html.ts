import { compile, type FormatCallback } from 'html-to-text';
import { tooDeepIn } from '../../../shared/check/read-html.ts';
import { numberedList } from './numbered-list.ts';
import { standIn } from './placeholders.ts';
import { readableHtml } from './readable-html.ts';

const lines = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** Elements that have a line of their own, besides those that html-to-text knows. */
const blocks = [
  ...['caption', 'center', 'address', 'figure', 'figcaption', 'dt', 'details', 'summary'],
  ...['fieldset', 'legend', 'dialog', 'hgroup', 'menu', 'search', 'body'],
];

/**
 * The text part of an email with this HTML: links as `text (URL)`, tables from Markdown in columns and others by
 * rows, lists with their numbers, raised digits as such, images by their description, boxes to tick as `[x]`, struck text as `~~text~~`. Leaves out what readers do not see, such as the preview text,
 * and ends with `…` where elements are nested too deeply.
 */
export const textOfHtml: (html: string) => string = shallow(
  compile({
    wordwrap: false,
    // All of it: browsers also show what is outside of the body.
    baseElements: { selectors: [] },
    formatters: {
      numberedList,
      raised: apartFrom('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', '^'),
      lowered: apartFrom('₀₁₂₃₄₅₆₇₈₉₊₋', '_'),
      description: ({ attribs }, _, builder) => builder.addInline(attribs?.alt ?? ''),
      box: ({ attribs }, _, builder) => builder.addInline(attribs?.checked == null ? '[ ]' : '[x]'),
      shown: ({ attribs }, _, builder) => builder.addInline(attribs?.value ?? ''),
      row(element, walk, builder) {
        // The first line of a block decides how far away the block is.
        builder.openBlock({ leadingLineBreaks: isFirstRow(element) ? 2 : 1 });
        walk(element.children, builder);
        builder.closeBlock({ trailingLineBreaks: 1 });
      },
      indented(element, walk, builder) {
        const blockTransform = (text: string) => text.replace(/^(?=.)/gm, '  ');
        builder.openBlock({ leadingLineBreaks: 1 });
        walk(element.children, builder);
        builder.closeBlock({ trailingLineBreaks: 1, blockTransform });
      },
    },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      {
        selector: 'a',
        options: {
          linkBrackets: ['(', ')'],
          hideLinkHrefIfSameAsText: true,
          noAnchorUrl: true,
        },
      },
      { selector: 'img', format: 'description' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'ol', format: 'numberedList' },
      ...['sup', ...[':', ': '].map((colon) => `span[style*="vertical-align${colon}super"]`)].map(
        (selector) => ({ selector, format: 'raised' }),
      ),
      { selector: 'sub', format: 'lowered' },
      {
        selector: 'table.data',
        format: 'dataTable',
        options: { uppercaseHeaderCells: false },
      },
      ...blocks.map((selector) => ({ selector, format: 'block', options: lines })),
      { selector: 'dl', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      { selector: 'tr', format: 'row' },
      { selector: 'dd', format: 'indented' },
      ...['del', 's', 'strike', 'span[style*="line-through"]'].map((selector) => ({
        selector,
        format: 'inlineSurround',
        options: { prefix: '~~', suffix: '~~' },
      })),
      { selector: 'q', format: 'inlineSurround', options: { prefix: '“', suffix: '”' } },
      { selector: 'input[type="checkbox"]', format: 'box' },
      { selector: 'input[type="submit"]', format: 'shown' },
      { selector: 'input[type="button"]', format: 'shown' },
    ],
  }),
);

/** For `<sup>` and `<sub>`: a number stays apart from one before it, such as the cents of a price. */
function apartFrom(digits: string, mark: string): FormatCallback {
  const isStandIn = new RegExp(`^${standIn.source}`);
  const apart = (word: string) => {
    // Of a value that is filled in later, only its place is known.
    if (isStandIn.test(word)) return mark + word;
    if (!/^[+-]?\d/.test(word)) return word;
    return word.replace(/^[+-]|\d/g, (sign) => digits['0123456789+-'.indexOf(sign)] ?? sign);
  };
  return (element, walk, builder) => {
    builder.pushWordTransform(apart);
    walk(element.children, builder);
    builder.popWordTransform();
  };
}

/**
 * Converts HTML up to where it is too deep for the parsers, and removes trailing blanks: they are invisible, and some
 * programs read two hyphens and a blank as a signature.
 */
function shallow(convert: (html: string) => string): (html: string) => string {
  return (html) => {
    const end = tooDeepIn(html);
    const read = end === undefined ? html : `${html.slice(0, end)}…`;
    return (
      convert(readableHtml(read))
        // Matches only at the beginning of the blanks; otherwise many of them take quadratic time.
        .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
        .trim()
    );
  };
}

interface Node {
  readonly name?: string | undefined;
  readonly prev?: Node | null | undefined;
  readonly parent?: Node | null | undefined;
}

function isFirstRow(row: Node): boolean {
  const { parent } = row;
  return isFirst(row) && (parent == null || parent.name === 'table' || isFirst(parent));
}

function isFirst({ prev }: Node): boolean {
  for (let one = prev; one != null; one = one.prev) {
    if (one.name !== undefined && !/^col/.test(one.name)) return false;
  }
  return true;
}
