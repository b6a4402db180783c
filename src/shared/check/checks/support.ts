import { type CSSToken, TokenType } from '@csstools/css-tokenizer';
import { defineCheck } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { type CssVisitor, cssValue, readCss } from '../read-css.ts';
import type { Element } from '../read-html.ts';
import { type MailFeature, supportByKey } from '../support.ts';

/** The percentages of people from which a feature is reported, and from which it is a warning. */
const named = { unsupported: 1, partly: 20, warning: 20 };

/**
 * Features that only add something: in a program without support, the email looks as if it did not use them.
 */
const additions = new Set([
  'css-at-media-prefers-color-scheme',
  'css-pseudo-class-hover',
  'css-at-media-hover',
  'css-cursor',
  'html-target',
]);

/** Features that mail programs do not support, by the data of caniemail.com. */
export const support = defineCheck({
  code: 'support',
  severity: 'info',
  meaning: 'a feature of HTML or CSS that mail programs do not support',
  find(message, report) {
    const document = htmlDocumentOf(message);
    const features = supportByKey();
    // An email uses the same few features many times.
    const used = new Map<MailFeature, { at: number; count: number }>();
    const use = (key: string, at: number) => {
      const feature = features.get(key);
      if (feature === undefined || !isWorthNaming(feature)) return;
      const before = used.get(feature);
      if (before === undefined) used.set(feature, { at, count: 1 });
      else {
        before.count++;
        before.at = Math.min(before.at, at);
      }
    };
    const visitor = cssUses(use);
    for (const { css, at } of document.styleSheets) readCss(css, at, visitor);
    for (const element of document.elements) {
      usesOf(element, use);
      for (const { property, value, at } of document.inlineStyle(element)) {
        visitor.declaration(property, value, at);
      }
    }
    for (const [feature, { at, count }] of used) {
      const { slug, unsupported, url } = feature;
      report({
        where: 'html',
        kind: slug,
        at,
        count,
        message: sentence(feature),
        severity: unsupported >= named.warning && !additions.has(slug) ? 'warning' : 'info',
        share: Math.round(unsupported),
        url,
      });
    }
  },
});

function isWorthNaming({ unsupported, partly }: MailFeature): boolean {
  return unsupported >= named.unsupported || partly >= named.partly;
}

function sentence({ title, unsupported, partly, lacking }: MailFeature): string {
  if (unsupported < named.unsupported) {
    return `${title}: ${percent(partly)} of people have a mail program that supports it partly.`;
  }
  const programs = lacking
    .filter(([, share]) => share >= 0.5)
    .slice(0, 3)
    .map(([name, share]) => `${name} ${percent(share)}`);
  return `${title}: ${percent(unsupported)} of people have a mail program that does not support it (${programs.join(', ')}).`;
}

function percent(share: number): string {
  return `${share < 1 ? '<1' : Math.round(share)}%`;
}

type Use = (key: string, at: number) => void;

const endings = /\.(\w{2,5})(?:[?#].*)?$/;

function usesOf({ name, at, attributes }: Element, use: Use): void {
  use(`element ${name}`, at);
  for (const [attribute, { at: place }] of attributes) use(`attribute ${attribute}`, place);
  const written = (attribute: string) =>
    attributes.get(attribute)?.value.trim().toLowerCase() ?? '';
  const placeOf = (attribute: string) => attributes.get(attribute)?.at ?? at;
  if (name === 'input') use(`input ${written('type') || 'text'}`, at);
  if (name === 'button') use(`button ${written('type') || 'submit'}`, at);
  if (name === 'meta') use(`meta ${written('name')}`, at);
  if (name === 'a' || name === 'area') {
    const href = written('href');
    if (/^#./.test(href)) use('link #', placeOf('href'));
    if (href.startsWith('mailto:')) use('link mailto', placeOf('href'));
  }
  if (name === 'img') {
    const source = written('src');
    const [, type] = /^data:image\/(\w+)/.exec(source) ?? endings.exec(source.slice(-300)) ?? [];
    if (source.startsWith('data:')) use('image data:', placeOf('src'));
    if (type !== undefined) use(`image ${type}`, placeOf('src'));
  }
}

/** Calls `use` for everything that a style sheet needs. */
function cssUses(use: Use) {
  const inValue = (tokens: readonly CSSToken[], at: number) => {
    for (const [type, , , , data] of tokens) {
      if (type === TokenType.Function) use(`function ${data.value.toLowerCase()}`, at);
      else if (type === TokenType.Dimension) use(`unit ${data.unit.toLowerCase()}`, at);
      else if (type === TokenType.Percentage) use('unit %', at);
      else if (type === TokenType.Ident) use(`keyword ${data.value.toLowerCase()}`, at);
    }
  };
  return {
    atRule(name, prelude, at) {
      use(`at ${name}`, at);
      if (name !== 'media') return;
      for (const [type, , , , data] of prelude) {
        if (type === TokenType.Ident) {
          use(`media ${data.value.toLowerCase().replace(/(^|-)(min|max)-/, '$1')}`, at);
        }
      }
    },
    selector(prelude, at, isNested) {
      if (isNested) use('nesting', at);
      selectorUses(prelude, (key) => use(key, at));
    },
    declaration(property, value, at) {
      if (property.startsWith('--')) return use('custom property', at);
      use(`property ${property}`, at);
      use(`value ${property} ${cssValue(value.slice(0, 20)).value}`, at);
      if (cssValue(value.slice(-4)).isImportant) use('important', at);
      inValue(value, at);
    },
  } satisfies CssVisitor;
}

const combinators: Readonly<Record<string, string>> = {
  '>': 'child',
  '+': 'adjacent-sibling',
  '~': 'general-sibling',
};

function selectorUses(tokens: readonly CSSToken[], use: (key: string) => void): void {
  let brackets = 0;
  tokens.forEach((token, index) => {
    const [type, text] = token;
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (type === TokenType.OpenSquare) {
      brackets++;
      use('selector attribute');
    } else if (type === TokenType.CloseSquare) {
      brackets--;
    } else if (brackets > 0) {
      return;
    } else if (type === TokenType.Comma) {
      use('selector grouping');
    } else if (type === TokenType.Hash) {
      use('selector id');
    } else if (type === TokenType.Delim && text === '*') {
      use('selector universal');
    } else if (type === TokenType.Delim && text === '.') {
      use('selector class');
    } else if (type === TokenType.Delim) {
      const name = combinators[text];
      if (name !== undefined) use(`selector ${name}`);
    } else if (type === TokenType.Whitespace) {
      if (isCompound(before) && isCompound(after)) use('selector descendant');
    } else if (type === TokenType.Ident || type === TokenType.Function) {
      const word = token[4].value.toLowerCase();
      const isPseudo = before?.[0] === TokenType.Colon;
      const isElement = isPseudo && tokens[index - 2]?.[0] === TokenType.Colon;
      if (isPseudo) use(`${isElement ? 'pseudo-element' : 'pseudo'} ${word}`);
      else if (before?.[1] !== '.') use('selector type');
    }
  });
}

/** Whether a token belongs to a compound selector, unlike a combinator, a comma or the end. */
function isCompound(token: CSSToken | undefined): boolean {
  if (token === undefined) return false;
  return !(/^[>+~,{]$/.test(token[1]) || token[0] === TokenType.Whitespace);
}
