import { hidden } from '../../http/hide-keys.ts';

/** A request that was recorded. */
interface Repeated {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** False if only the beginning of the body is kept. */
  readonly isWhole: boolean;
}

/** Headers that curl or the transport adds. */
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

/**
 * The same request as a curl command, with escaped line breaks and the API key from `$MAILER_API_KEY`, and a note about
 * what the command cannot repeat, or an empty one.
 */
export function curlLine({ method, url, headers, body, isWhole }: Repeated) {
  // U+FFFD stands for invalid UTF-8, and no argument can contain NUL.
  const isText = !/[\0\ufffd]/.test(body);
  const isKnown = isWhole && isText;
  const parts = ['curl'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== 'GET' || body !== '') parts.push(`-X ${quoted(method)}`);
  // Otherwise brackets and braces are patterns of several URLs.
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  const left: string[] = [];
  const lines = [`${parts.join(' ')} ${quoted(url)}`];
  for (const [name, value] of headers) {
    if (name === 'authorization') lines.push('-H "Authorization: Bearer $MAILER_API_KEY"');
    else if (value.includes(hidden)) left.push(name);
    else if (!made.has(name) && value !== '*/*') lines.push(`-H ${quoted(header(name, value))}`);
  }
  if (body !== '' || !isWhole) {
    // Otherwise curl sends the content type of a form.
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

/** For curl, `name:` means a header to leave out. */
function header(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** No letter, mark, number, punctuation, symbol, plain space or newline. */
const invisible = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]/u;

/**
 * `text` as one word of a shell command. Invisible characters, which a terminal could execute when they are
 * pasted, are escaped with `$'…'`, as bash and zsh understand it.
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
