import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

/** Is called for what a style sheet or the value of `style` uses. Names are in lower case. */
export interface CssVisitor {
  /** The name is one such as `media`; `prelude` is what stands between it and the block. */
  atRule?(name: string, prelude: readonly CSSToken[], at: number): void;
  selector?(prelude: readonly CSSToken[], at: number, isNested: boolean): void;
  declaration?(property: string, value: readonly CSSToken[], at: number): void;
}

/** At-rules that contain rules. The blocks of others contain declarations. */
const holdsRules = new Set(['media', 'supports', 'layer', 'container', '-moz-document', 'scope']);

/**
 * Reads CSS in one pass without recursion, since it is untrusted. `base` is added to all offsets. What is not
 * CSS is skipped.
 */
export function readCss(css: string, base: number, visitor: CssVisitor, isInline = false): void {
  /** What each open block contains. */
  const blocks: ('rules' | 'declarations' | 'frames')[] = isInline ? ['declarations'] : [];
  let pending: CSSToken[] = [];
  let depth = 0;
  const flush = (end: 'block' | 'statement') => {
    const tokens = pending;
    pending = [];
    const [first] = tokens;
    if (first === undefined) {
      if (end === 'block') blocks.push('declarations');
      return;
    }
    const at = base + first[2];
    if (first[0] === TokenType.AtKeyword) {
      const name = first[4].value.toLowerCase();
      visitor.atRule?.(name, tokens.slice(1), at);
      if (end === 'block') {
        const kind = holdsRules.has(name) ? 'rules' : 'declarations';
        blocks.push(/(^|-)keyframes$/.test(name) ? 'frames' : kind);
      }
      return;
    }
    if (end === 'block') {
      const outer = blocks.at(-1);
      if (outer !== 'frames') visitor.selector?.(tokens, at, outer === 'declarations');
      blocks.push('declarations');
      return;
    }
    const colon = tokens.findIndex(({ 0: type }) => !isSpace(type) && type !== TokenType.Ident);
    if (first[0] !== TokenType.Ident || tokens[colon]?.[0] !== TokenType.Colon) return;
    visitor.declaration?.(first[4].value.toLowerCase(), tokens.slice(colon + 1), at);
  };
  for (const token of tokenize({ css })) {
    const [type] = token;
    if (type === TokenType.OpenCurly && depth === 0) {
      flush('block');
    } else if (type === TokenType.CloseCurly) {
      depth = 0;
      flush('statement');
      if (blocks.length > (isInline ? 1 : 0)) blocks.pop();
    } else if ((type === TokenType.Semicolon && depth === 0) || type === TokenType.EOF) {
      flush('statement');
    } else if (pending.length > 0 || !(isSpace(type) || isMark(type))) {
      if (opens(type)) depth++;
      else if (closes(type)) depth = Math.max(0, depth - 1);
      if (type !== TokenType.Comment) pending.push(token);
    }
  }
}

function isSpace(type: TokenType): boolean {
  return type === TokenType.Whitespace || type === TokenType.Comment;
}

/** `<!--` and `-->`, which are allowed around a style sheet. */
function isMark(type: TokenType): boolean {
  return type === TokenType.CDO || type === TokenType.CDC;
}

function opens(type: TokenType): boolean {
  return (
    type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare
  );
}

function closes(type: TokenType): boolean {
  return type === TokenType.CloseParen || type === TokenType.CloseSquare;
}
