import { isNoValue } from '../../../shared/no-value.ts';
import { asHtml } from './as-html.ts';

/** Values for a template. */
export type Scope = Readonly<Record<string, unknown>>;

/** Renders a template with values; undefined for values that only Liquid can render. */
type Render = (scope: Scope) => string | undefined;

/** How a value is written, unless it is `raw`; `isHtml` if it is escaped already. */
export type WriteValue = (text: string, isHtml: boolean) => string;

/** A sequence of pieces, and the tag after it that belongs to an `if` around them. */
interface Block {
  readonly render: Render;
  readonly end: string | undefined;
}

const output =
  /^\{\{ *([a-zA-Z_]\w*)(?: *\| *default: *"([^"\\{}%]*)")?((?: *\| *(?:escape|raw|url_encode))*) *\}\}$/;
const condition = /^\{% *(?:if|elsif) +([a-zA-Z_]\w*)(?: *([!=]=) *"([^"\\{}%]*)")? *%\}$/;
const ifTag = /^\{% *if /;
const elsifTag = /^\{% *elsif /;
const elseTag = /^\{% *else *%\}$/;
const endTag = /^\{% *endif *%\}$/;

/** No real email has more; one that was made to must cost neither the stack nor time. */
const mostPieces = 1000;

/** Words that look like names, but are none to Liquid. */
const words = ['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'];

/**
 * Renders what most templates have, variables and `if`, in a twentieth of the time that Liquid takes. Returns
 * undefined for a template with anything else. Only an optimization: a test compares it with Liquid, with
 * random templates and values.
 */
export function compilePlain(source: string, write: WriteValue | undefined): Render | undefined {
  const pieces = source.split(/(\{\{.*?\}\}|\{%.*?%\})/s);
  if (pieces.length > mostPieces) return undefined;
  const block = compileBlock(pieces, write);
  return block?.end === undefined ? block?.render : undefined;
}

/** Compiles pieces up to a tag that ends them, and removes them from the list. */
function compileBlock(pieces: string[], write: WriteValue | undefined): Block | undefined {
  const parts: Render[] = [];
  const render: Render = (scope) => {
    let all = '';
    for (const part of parts) {
      const text = part(scope);
      if (text === undefined) return undefined;
      all += text;
    }
    return all;
  };
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if (elsifTag.test(piece) || elseTag.test(piece) || endTag.test(piece)) {
      return { render, end: piece };
    }
    const part = compilePiece(piece, pieces, write);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return { render, end: undefined };
}

function compilePiece(
  piece: string,
  pieces: string[],
  write: WriteValue | undefined,
): Render | undefined {
  if (piece.startsWith('{{')) return compileOutput(piece, write);
  if (!piece.startsWith('{%')) return () => piece;
  return ifTag.test(piece) ? compileIf(piece, pieces, write) : undefined;
}

function compileOutput(piece: string, write: WriteValue | undefined): Render | undefined {
  const [, name = '', standIn, given = ''] = output.exec(piece) ?? [];
  if (name === '' || words.includes(name)) return undefined;
  const filters: string[] = given.match(/\w+/g) ?? [];
  const isRaw = write === undefined || filters.at(-1) === 'raw';
  return (scope) => {
    const value = scope[name];
    let text = isNoValue(value) ? standIn : value;
    let isHtml = false;
    for (const filter of filters) {
      if (typeof text !== 'string') return undefined;
      if (filter === 'escape' && !isHtml) text = asHtml(text);
      else if (filter === 'url_encode') text = urlEncoded(text);
      if (write !== undefined && filter !== 'raw') isHtml = filter === 'escape';
    }
    if (typeof text !== 'string') return undefined;
    return isRaw ? text : write(text, isHtml);
  };
}

/** Compiles an `if`, and removes its pieces up to its end from the list. */
function compileIf(
  tag: string,
  pieces: string[],
  write: WriteValue | undefined,
): Render | undefined {
  const [, name = '', operator, text] = condition.exec(tag) ?? [];
  const then = compileBlock(pieces, write);
  const end = then?.end;
  if (name === '' || words.includes(name) || then === undefined || end === undefined) {
    return undefined;
  }
  let otherwise: Render | undefined = () => '';
  if (elsifTag.test(end)) otherwise = compileIf(end, pieces, write);
  if (elseTag.test(end)) {
    const block = compileBlock(pieces, write);
    otherwise = endTag.test(block?.end ?? '') ? block?.render : undefined;
  }
  if (otherwise === undefined) return undefined;
  return (scope) => {
    const value = isNoValue(scope[name]) ? '' : scope[name];
    if (typeof value !== 'string') return undefined;
    const holds = text === undefined ? value !== '' : (value === text) === (operator === '==');
    return holds ? then.render(scope) : otherwise(scope);
  };
}

/** Undefined for a lone surrogate, which cannot be encoded. */
function urlEncoded(text: string): string | undefined {
  return /\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text).replaceAll('%20', '+');
}
