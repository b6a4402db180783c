import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

/** Is called for what a style sheet or the value of `style` uses. Names are in lower case. */
export interface CssVisitor {
  /** The name is one such as `media`; `prelude` is what stands between it and the block. */
  atRule?(name: string, prelude: readonly CSSToken[], at: number): void;
  selector?(prelude: readonly CSSToken[], at: number, isNested: boolean): void;
  /** `around` has the open blocks, the outermost first. */
  declaration?(
    property: string,
    value: readonly CSSToken[],
    at: number,
    around: readonly CssBlock[],
  ): void;
}

/** A block, by what stands before it; `name` is that of an at-rule. */
export interface CssBlock {
  readonly name?: string;
  readonly prelude: readonly CSSToken[];
}

/** At-rules that contain rules. The blocks of others contain declarations. */
const holdsRules = new Set(['media', 'supports', 'layer', 'container', '-moz-document', 'scope']);

/**
 * Reads CSS in one pass without recursion, since it is untrusted. `base` is added to all offsets. What is not
 * CSS is skipped, and placeholders are words.
 */
export function readCss(css: string, base: number, visitor: CssVisitor, isInline = false): void {
  const blocks: CssBlock[] = isInline ? [{ prelude: [] }] : [];
  let pending: CSSToken[] = [];
  let depth = 0;
  const flush = (end: 'block' | 'statement') => {
    const prelude = pending;
    pending = [];
    const [first] = prelude;
    const at = base + (first?.[2] ?? 0);
    if (first?.[0] === TokenType.AtKeyword) {
      const name = first[4].value.toLowerCase();
      prelude.shift();
      visitor.atRule?.(name, prelude, at);
      if (end === 'block') blocks.push({ name, prelude });
      return;
    }
    if (end === 'block') {
      const outer = blocks.at(-1);
      const isFrame = /(^|-)keyframes$/.test(outer?.name ?? '');
      const isNested = outer !== undefined && !holdsRules.has(outer.name ?? '');
      if (first !== undefined && !isFrame) visitor.selector?.(prelude, at, isNested);
      blocks.push({ prelude });
      return;
    }
    const colon = prelude.findIndex(({ 0: type }) => !space.has(type) && type !== TokenType.Ident);
    if (first?.[0] !== TokenType.Ident || prelude[colon]?.[0] !== TokenType.Colon) return;
    visitor.declaration?.(first[4].value.toLowerCase(), prelude.slice(colon + 1), at, blocks);
  };
  for (const token of tokenize({ css: withoutBraces(css) })) {
    const [type] = token;
    if (type === TokenType.OpenCurly && depth === 0) {
      flush('block');
    } else if (type === TokenType.CloseCurly) {
      depth = 0;
      flush('statement');
      if (blocks.length > (isInline ? 1 : 0)) blocks.pop();
    } else if ((type === TokenType.Semicolon && depth === 0) || type === TokenType.EOF) {
      flush('statement');
    } else if (pending.length > 0 || !(space.has(type) || marks.has(type))) {
      if (opening.has(type)) depth++;
      else if (closing.has(type)) depth = Math.max(0, depth - 1);
      if (type !== TokenType.Comment) pending.push(token);
    }
  }
}

/** CSS in which placeholders are words, of the same length. */
export function withoutBraces(css: string): string {
  return css.replace(bracedWord, (one) => one.replaceAll('{', '\ue001').replaceAll('}', '\ue002'));
}

export const bracedWord = /\{{2,3}[^{}]*\}{2,3}/g;

const space = new Set([TokenType.Whitespace, TokenType.Comment]);
/** `<!--` and `-->`, which are allowed around a style sheet. */
const marks = new Set([TokenType.CDO, TokenType.CDC]);
const opening = new Set([TokenType.Function, TokenType.OpenParen, TokenType.OpenSquare]);
const closing = new Set([TokenType.CloseParen, TokenType.CloseSquare]);

/** The text of CSS tokens in lower case, trimmed. */
export function cssText(tokens: readonly CSSToken[]): string {
  return tokens
    .map(([, text]) => text)
    .join('')
    .trim()
    .toLowerCase();
}

/** The value of a declaration as `cssText`, apart from `!important`. */
export function cssValue(tokens: readonly CSSToken[]) {
  const written = cssText(tokens);
  const value = written.replace(/\s*!\s*important$/, '');
  return { value, isImportant: value !== written };
}
