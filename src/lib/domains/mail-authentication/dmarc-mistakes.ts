import { attempt } from '../../../shared/attempt.ts';
import { isDmarc, parseDmarc } from './dmarc-record.ts';

/** A text that was meant as a DMARC record, but that receivers ignore, whole or in part. */
export interface MistakenDmarc {
  readonly text: string;
  /** What is wrong with it: a sentence. */
  readonly sentence: string;
  /** The record that was meant, with the same policy; undefined if only its owner knows. */
  readonly repaired: string | undefined;
}

/** What was meant by a TXT record at `_dmarc.`, if it is no DMARC record because of a mistake. */
export function mistakenDmarc(text: string): MistakenDmarc | undefined {
  const clean = cleanText(text);
  const isMeant =
    /^(?:v\s*[=:]?\s*)?dmarc\s*1\b/i.test(clean) ||
    /^p\s*[=:]\s*(?:none|quarantine|reject)\b/i.test(clean);
  if (isDmarc(text) || !isMeant) return undefined;
  return { text, sentence: mistakeIn(text, clean), repaired: repairedDmarc(text) };
}

/** The record with the tags that were meant; undefined if it then has no valid policy. */
export function repairedDmarc(text: string): string | undefined {
  const parts = partsOf(cleanText(text)).filter(([name]) => name !== 'v');
  const tags = new Set(
    parts.map(([name, value]) => (name === undefined ? value : `${name}=${value}`)),
  );
  const repaired = `v=DMARC1; ${[...tags].join('; ')}`;
  const { use, problems } = parseDmarc(repaired);
  const isWhole = use === 'policy' && !problems.some(({ code }) => code === 'ignored');
  return isWhole ? repaired : undefined;
}

/** Without what editors, zone files and control panels add. */
function cleanText(text: string): string {
  return utf8(text)
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/["“”„‟«»\\]/g, '')
    .replace(/(?<=^|[\s;=])['‘’]|['‘’](?=$|[\s;])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** DNS has octets, which are read as one character each. */
function utf8(text: string): string {
  if (/[^\0-\xff]/.test(text)) return text;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return attempt(() => decoder.decode(Buffer.from(text, 'latin1')), text);
}

const names = 'v|p|sp|np|psd|t|adkim|aspf|rua|ruf|fo|pct|rf|ri';

/** Tags and values; a part without a name is as written. */
function partsOf(clean: string): (readonly [name: string | undefined, value: string])[] {
  const start = clean.replace(/^(?:v\s*[=:]?\s*)?dmarc\s*1\b\s*[;,:]?/i, '');
  const pieces = start.split(new RegExp(`[;]|[\\s,:]+(?=(?:${names})\\s*[=:])`, 'i'));
  const trimmed = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  return trimmed.map((piece) => {
    const [, name, value = ''] = /^\s*([a-z]+)\s*[=:]\s*(.*?)\s*$/i.exec(piece) ?? [];
    if (name === undefined) return [undefined, piece];
    const isAddress = /^ru[af]$/i.test(name);
    return [name.toLowerCase(), isAddress ? value : value.toLowerCase()];
  });
}

function mistakeIn(text: string, clean: string): string {
  const version = /^v\s*=\s*(dmarc\s*1)\b/i.exec(clean)?.[1];
  if (version === undefined) return 'It does not begin with v=DMARC1.';
  if (version !== 'DMARC1') return `It begins with v=${version}; it must be v=DMARC1, in capitals.`;
  if (/["'\\]/.test(text)) return 'It has quotes or backslashes in it.';
  if (!/^[\x20-\x7e]*$/.test(text)) {
    return 'It has curly quotes or other characters in it that are not visible ASCII.';
  }
  if (/^\s/.test(text)) return 'It begins with a space.';
  return 'There is no semicolon after v=DMARC1 or between its tags.';
}
