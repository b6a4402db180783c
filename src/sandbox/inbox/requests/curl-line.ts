import { hidden } from '../../http/shown-keys.ts';

/** A request that was recorded. */
interface Repeated {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** False when only the beginning of the body is kept. */
  readonly isWhole: boolean;
}

interface CurlLine {
  /** For a shell; it stands on several lines, which a shell takes for one. */
  readonly line: string;
  /** What the line cannot repeat, as a sentence; empty if it repeats all. */
  readonly note: string;
}

/** Headers that curl, or the way there, makes by itself. */
const made = new Set([
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'sec-fetch-mode',
  'transfer-encoding',
  'user-agent',
]);

/** The same request as a line for a shell, with the key taken from `$MAILER_API_KEY`. */
export function curlLine({ method, url, headers, body, isWhole }: Repeated): CurlLine {
  // Bytes that are no UTF-8 are kept as this, and no argument of a program can have the other.
  const isText = !/[\0\ufffd]/.test(body);
  const isKnown = isWhole && isText;
  const parts = ['curl'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET' || body !== '') parts.push(`-X ${quoted(method)}`);
  // Brackets and braces would else be patterns of several URLs.
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  const left: string[] = [];
  const lines = [`${parts.join(' ')} ${quoted(url)}`];
  for (const [name, value] of headers) {
    if (name === 'authorization') lines.push('-H "Authorization: Bearer $MAILER_API_KEY"');
    else if (value.includes(hidden)) left.push(name);
    else if (!made.has(name) && value !== '*/*') lines.push(`-H ${quoted(header(name, value))}`);
  }
  if (body !== '' || !isWhole) {
    // Without this curl would say that it is a form.
    if (!headers.some(([name]) => name === 'content-type')) lines.push("-H 'Content-Type:'");
    lines.push(isKnown ? `--data-raw ${quoted(body)}` : '--data-binary @body');
  }
  const notes = [
    left.length === 0 ? '' : `Left out, because its value is hidden: ${left.join(', ')}.`,
    isWhole ? '' : 'The body was too long to be kept whole.',
    isText ? '' : 'The body was not text.',
    isKnown ? '' : 'Put it into a file named body.',
    url.includes(hidden) || body.includes(hidden) ? 'Fill in the hidden values.' : '',
  ];
  return { line: lines.join(' \\\n  '), note: notes.filter((note) => note !== '').join(' ') };
}

/** curl takes `name:` for a header to leave out. */
function header(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** No letter, mark, number, punctuation, symbol, plain space or newline. */
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]/u;

/**
 * `text` as one word of a shell. Where it has characters that cannot be seen, which a terminal
 * could take for orders when it is pasted, it stands in the form of bash and zsh that names them.
 */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  if (!invisible.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|['\\!]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  );
  return `$'${escaped}'`;
}
