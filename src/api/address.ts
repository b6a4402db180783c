import { isIPv4, isIPv6 } from 'node:net';
import emailAddresses from 'email-addresses';
import { asciiDomain, labelsOf } from './domain-name.ts';

/** The longest line of RFC 5322, section 2.1.1. Also keeps hostile input from the parser. */
const longestMailbox = 998;
/** Bytes; RFC 5321, section 4.5.3.1, and erratum 1690 to RFC 3696. */
const longestLocalPart = 64;
const longestAddress = 254;

/**
 * Matches simple addresses, as nearly all are (RFC 5322, section 3.2.3). The parser takes 70 times as long.
 * A label in Punycode is decoded, so it is not simple.
 */
const plainAddress =
  /^(?!.*[@.]xn--)(?=.{3,254}$)(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$|0x[\da-f]*$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** White space and invisible characters, except the joiners that some scripts need. */
const invisible = /(?![\u200c\u200d])[\p{Z}\p{Cc}\p{Cf}\p{Cs}]/u;
/** What the conversion of a domain drops, such as a variation selector. */
const dropped = /(?![\u200c\u200d])\p{DI}/u;
/** A sign that is no letter, such as the quotes and bullets of pages and word processors. */
const sign = /(?!\p{ASCII})[\p{P}\p{S}]/u;
const signAround = new RegExp(`^${sign.source}|${sign.source}$`, 'u');

/** What pages, editors and spreadsheets leave around an address that was copied from them. */
const blank = '[\\p{Z}\\u00ad\\u200b\\u200e\\u200f\\u2060\\ufeff]';
// Where such characters begin, not at each of them: a cell may have many.
const around = new RegExp(`^${blank}+|(?<!${blank})${blank}+$`, 'gu');

/** A mailbox or address without white space and invisible characters around it. */
export function trimAddress(value: string): string {
  return value.replace(around, '');
}

/**
 * Whether `value` is one mailbox, such as `ana@example.com` or `"Ana, B" <ana@example.com>`, by the current
 * grammar of RFC 5322 with UTF-8 as in RFC 6532, and within the limits of RFC 5321. Groups, lists, comments,
 * obsolete forms and line breaks are not allowed.
 */
export function isMailbox(value: string): boolean {
  return mailboxProblem(value) === undefined;
}

/** A sentence that says why `value` is not one mailbox, and how to fix it; `undefined` if it is one. */
export function mailboxProblem(value: string): string | undefined {
  if (plainAddress.test(value)) return undefined;
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value)) {
    return 'It contains a line break or another control character.';
  }
  if (value.length > longestMailbox) return `It has more than ${longestMailbox} characters.`;
  if (value.replace(/"(?:[^"\\]|\\.)*"/g, '').includes('(')) {
    return 'It contains parentheses. Put the display name in double quotes: "Ana (Sales)" <ana@example.com>';
  }
  const parsed = parse(value);
  if (parsed === null) {
    return value.includes('<')
      ? 'Put a display name with punctuation in double quotes: "Ana B." <ana@example.com>'
      : 'Write ana@example.com or "Ana B." <ana@example.com>';
  }
  if (parsed.type === 'group') return 'It is a group of addresses. Give its members one by one.';
  return addressProblem(parsed.parts.local.tokens, parsed.parts.domain.tokens);
}

/** Display name, empty if there is none, and address as written; `undefined` if `value` is not a mailbox. */
export function mailboxParts(value: string): { name: string; address: string } | undefined {
  if (plainAddress.test(value)) return { name: '', address: value };
  const parsed = isMailbox(value) ? parse(value) : null;
  if (parsed === null || parsed.type === 'group') return undefined;
  const { local, domain } = parsed.parts;
  return { name: parsed.name ?? '', address: `${local.tokens}@${domain.tokens}` };
}

function parse(value: string) {
  return emailAddresses.parseOneAddress({
    input: value.replace(/^ +| +$/g, ''),
    rfc6532: true,
    strict: true,
  });
}

/** The same for an address, given its local part and domain as written. */
function addressProblem(local: string, domain: string): string | undefined {
  const quoted = /^".*"$/.test(local);
  if (
    invisible.test(quoted ? local.replaceAll(' ', '') : local) ||
    invisible.test(domain) ||
    dropped.test(domain)
  ) {
    return 'The address contains white space or an invisible character.';
  }
  if (Buffer.byteLength(local) > longestLocalPart) {
    return `The part before the @ has more than ${longestLocalPart} bytes.`;
  }
  if (Buffer.byteLength(`${local}@${domain}`) > longestAddress) {
    return `The address has more than ${longestAddress} bytes.`;
  }
  const [found] = signAround.exec(local) ?? [];
  if (found !== undefined) {
    return `The part before the @ begins or ends with ${found}, which is neither a letter nor a digit.`;
  }
  if (isDomain(domain)) return undefined;
  return `${JSON.stringify(domain)} is not a domain name${whyNoDomain(domain)}.`;
}

function whyNoDomain(domain: string): string {
  if (domain.includes('_')) return ': mail servers reject an underscore in it';
  if (isIPv4(domain)) return `. An IP address is written as [${domain}]`;
  const [found] = labelsOf(domain).flatMap((label) => sign.exec(label) ?? []);
  return found === undefined ? '' : `: ${found} is neither a letter nor a digit`;
}

/** A domain name, or an IP address in brackets. */
function isDomain(domain: string): boolean {
  if (domain.startsWith('[')) {
    const literal = domain.slice(1, -1);
    return /^IPv6:/i.test(literal) ? isIPv6(literal.slice(5)) : isIPv4(literal);
  }
  return asciiDomain(domain) !== undefined;
}
