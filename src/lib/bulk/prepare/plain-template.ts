import { asHtml } from '../../content/as-html.ts';

/** Values that a template is rendered over. */
export type Scope = Readonly<Record<string, unknown>>;

/** Renders over values; undefined for those that only Liquid can render. */
type Render = (scope: Scope) => string | undefined;

/** How a value is written, unless it is `raw`. */
export type WriteValue = (text: string) => string;

/** A run of pieces, and the tag behind it that belongs to an `if` around them. */
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

/** No letter has more; what is made to have them shall take neither the stack nor the time. */
const mostPieces = 1000;

/** What looks like a name and is none to Liquid. */
const words = ['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'];

/**
 * Renders what most templates hold, variables and a choice by `if`, in a twentieth of the time that Liquid
 * takes. A test with random templates and values compares the two; nothing here is needed for a run.
 * Returns undefined for a template that holds anything else.
 */
export function compilePlain(source: string, write: WriteValue | undefined): Render | undefined {
  const pieces = source.split(/(\{\{.*?\}\}|\{%.*?%\})/s);
  if (pieces.length > mostPieces) return undefined;
  const block = compileBlock(pieces, write);
  return block?.end === undefined ? block?.render : undefined;
}

/** Takes pieces up to a tag that ends them. */
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
    let text = value === undefined || value === '' ? (standIn ?? value) : value;
    for (const filter of filters) {
      if (typeof text !== 'string') return undefined;
      if (filter === 'escape') text = asHtml(text);
      else if (filter === 'url_encode') text = urlEncoded(text);
    }
    if (typeof text !== 'string') return undefined;
    return isRaw ? text : write(text);
  };
}

/** An `if`, whose pieces are taken up to its end. */
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
    const value = scope[name];
    if (value !== undefined && typeof value !== 'string') return undefined;
    const holds =
      text === undefined ? value !== undefined : (value === text) === (operator === '==');
    return holds ? then.render(scope) : otherwise(scope);
  };
}

/** Undefined for half of a pair of surrogates, which cannot be encoded. */
function urlEncoded(text: string): string | undefined {
  return /\p{Cs}/u.test(text) ? undefined : encodeURIComponent(text).replaceAll('%20', '+');
}
