import { mailboxParts } from '../../../api/address.ts';
import { asciiDomain, asciiLabel, labelsOf } from '../../../api/domain-name.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';

/** An address as rules compare it: in lower case, its domain in ASCII. */
export interface ComparedAddress {
  readonly local: string;
  readonly domain: string;
}

/** An address in which `*` matches any characters within the local part or within the domain. */
export type Pattern = ComparedAddress;

/**
 * The address of a mailbox, normalised for comparing; undefined if it cannot be compared reliably: an
 * invalid mailbox, a quoted local part (`"a@b"@example.com`), or an IP address as the domain.
 */
export function comparedAddress(mailbox: string): ComparedAddress | undefined {
  const address = mailboxParts(mailbox)?.address ?? '';
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || local.startsWith('"') || domain.startsWith('[')) return undefined;
  const ascii = asciiDomain(domain);
  return ascii === undefined ? undefined : { local: comparedLocal(local), domain: ascii };
}

/** Local parts can be case-sensitive, but on hardly any server, and a rule must not depend on it. */
function comparedLocal(local: string): string {
  return local.normalize('NFC').toLowerCase();
}

/**
 * Parses a pattern. Throws a `UsageError` that names `place` if no address could match it: it must be an
 * address itself once each `*` is a letter. A label with `*` cannot be converted, so it must be in ASCII.
 */
export function parsePattern(text: string, place: string): Pattern {
  const at = text.lastIndexOf('@');
  // `xn--*` stands for all labels in Punycode, but with a letter it is none.
  const address = text.replaceAll(/(?<=[@.])xn(?=--[^.]*\*)/gi, letter).replaceAll('*', letter);
  const isAddress = mailboxParts(address)?.address === address;
  const labels = labelsOf(text.slice(at + 1));
  const isClear =
    labels.every((label) => !label.includes('*') || /^[\x21-\x7e]+$/.test(label)) &&
    // A mark becomes one with the letter before it.
    !/\*\p{M}/u.test(text);
  if (!isAddress || comparedAddress(address) === undefined || !isClear) {
    throw new UsageError(
      `${place}: "${visible(text)}" is neither an email address nor a pattern such as *@example.com`,
      { hint: /_[^@]*$/.test(text) ? noUnderscore : undefined },
    );
  }
  const ascii = labels.map((label) =>
    label.includes('*') ? label.toLowerCase() : asciiLabel(label),
  );
  return { local: comparedLocal(text.slice(0, at)), domain: ascii.join('.') };
}

/** Stands for a `*`. No hexadecimal digit, which could be part of a number. */
const letter = 'z';

const noUnderscore =
  'Mail servers reject an underscore in a domain, so this could match no address.';

export function matches(pattern: Pattern, { local, domain }: ComparedAddress): boolean {
  return isLike(local, pattern.local) && isLike(domain, pattern.domain);
}

/** The patterns of a list. Any number of them without `*` costs one look-up. */
export interface Patterns {
  /** Whole addresses, compared. */
  readonly addresses: ReadonlySet<string>;
  readonly others: readonly Pattern[];
}

/** Parses a list; throws like `parsePattern`. */
export function parsePatterns(texts: readonly string[], place: string): Patterns {
  const all = texts.map((text) => parsePattern(text, place));
  const isWhole = ({ local, domain }: Pattern) => !`${local}${domain}`.includes('*');
  return {
    addresses: new Set(all.filter(isWhole).map(joined)),
    others: all.filter((one) => !isWhole(one)),
  };
}

/** The texts of a list, without those that are the same as an earlier one. Throws like `parsePattern`. */
export function distinctPatterns(texts: readonly string[], place: string): readonly string[] {
  const all = new Map<string, string>();
  for (const text of texts) {
    const key = joined(parsePattern(text, place));
    if (!all.has(key)) all.set(key, text);
  }
  return [...all.values()];
}

export function isAmong(address: ComparedAddress, { addresses, others }: Patterns): boolean {
  return addresses.has(joined(address)) || others.some((pattern) => matches(pattern, address));
}

/** Whether the entries of one list are all covered by those of another: by the same, or by one with more stars. */
export function areCovered(entries: readonly string[], by: readonly string[]): boolean {
  const patterns = parsePatterns(by, '');
  return entries.every((entry) => isAmong(parsePattern(entry, ''), patterns));
}

/**
 * Whether a deny rule covers this address: `ana+news@…` usually reaches the mailbox of `ana@…`, and so do letters in
 * other widths (`ａｎａ@…`) where a server folds them.
 */
export function isMailboxAmong(address: ComparedAddress, patterns: Patterns): boolean {
  const folded = comparedLocal(address.local.normalize('NFKC'));
  const [base = ''] = folded.split('+', 1);
  const locals = new Set([address.local, folded, ...(base === '' ? [] : [base])]);
  return [...locals].some((local) => isAmong({ ...address, local }, patterns));
}

function joined({ local, domain }: ComparedAddress): string {
  return `${local}@${domain}`;
}

/** Whether a text is like a pattern with `*`. Without a regular expression, which would be slow for a pattern with many stars. */
export function isLike(text: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return text === start;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}
