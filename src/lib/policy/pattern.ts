import { domainToASCII } from 'node:url';
import { mailboxParts } from '../../api/address.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

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
  const ascii = domainToASCII(domain);
  return ascii === '' ? undefined : { local: comparedLocal(local), domain: ascii };
}

/** Local parts can be case-sensitive, but on hardly any server, and a rule must not depend on it. */
function comparedLocal(local: string): string {
  return local.normalize('NFC').toLowerCase();
}

/** Parses a pattern. Throws a `UsageError` that names `place` if it is invalid. */
export function parsePattern(text: string, place: string): Pattern {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text
    .slice(at + 1)
    .split('.')
    .map(comparedLabel);
  if (at < 1 || /[\s"@<>(),:;\\\p{C}]/u.test(local) || labels.includes('')) {
    throw new UsageError(
      `${place}: "${visible(text)}" is neither an email address nor a pattern such as *@example.com`,
    );
  }
  return { local: comparedLocal(local), domain: labels.join('.') };
}

/** One label of a domain, in ASCII; empty if invalid. */
function comparedLabel(label: string): string {
  if (label.includes('*')) return /^[a-z\d*-]+$/i.test(label) ? label.toLowerCase() : '';
  return /^[a-z\d-]+$/i.test(label) ? label.toLowerCase() : domainToASCII(label);
}

export function matches(pattern: Pattern, { local, domain }: ComparedAddress): boolean {
  return isLike(local, pattern.local) && isLike(domain, pattern.domain);
}

/** Whether a deny rule covers this address: `ana+news@…` usually reaches the mailbox of `ana@…`. */
export function matchesMailbox(pattern: Pattern, address: ComparedAddress): boolean {
  const [base = ''] = address.local.split('+', 1);
  return (
    matches(pattern, address) || (base !== '' && matches(pattern, { ...address, local: base }))
  );
}

/** Matches without a regular expression, which would be slow for a pattern with many stars. */
function isLike(text: string, pattern: string): boolean {
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
