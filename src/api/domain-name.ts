import { domainToASCII, domainToUnicode } from 'node:url';

/** Characters; RFC 1035, sections 2.3.4 and 3.1. */
const longestLabel = 63;
const longestDomain = 253;

/**
 * A label of letters, marks, digits and hyphens, with the exceptions of RFC 5892, section 2.6, and what its appendix A
 * allows in its place. The conversion to ASCII makes nearly anything else a label, too: `com\u201d`, and `comtm` of `com\u2122`.
 */
const internationalLabel =
  /^(?:[\p{L}\p{M}\p{Nd}\u06fd\u06fe\u0f0b\u3007-]|\u200c|\u200d|(?<=l)\u00b7(?=l)|\u0375(?=\p{sc=Grek})|(?<=\p{sc=Hebr})[\u05f3\u05f4]|(?<=[\p{scx=Hira}\p{scx=Kana}\p{scx=Hani}])\u30fb)+$/iu;

/**
 * A domain name with at least one label, as DNS has it: in ASCII and lower case. `undefined` if it is none:
 * every label must be letters, digits and hyphens before and after it is converted, and the last one no number, which
 * some programs read as an IP address. Domains with an underscore exist, but mail servers reject them with
 * 501 (RFC 5321, section 4.1.2). Live services accept any text as an address, so without this check the email
 * would only fail later, or be compared with rules by a name that it does not have.
 */
export function asciiDomain(domain: string): string | undefined {
  const labels = labelsOf(domain).map(asciiLabel);
  const ascii = labels.join('.');
  const isName = !labels.includes('') && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(ascii);
  return isName && ascii.length <= longestDomain ? ascii : undefined;
}

/** The labels of a domain, at the dots that IDNA knows. */
export function labelsOf(domain: string): string[] {
  return domain.split(/[.\u3002\uff0e\uff61]/);
}

/** One label as DNS has it; empty if it is none, or if it is in Punycode that IDNA does not write. */
export function asciiLabel(label: string): string {
  if (label.startsWith('-') || label.endsWith('-')) return '';
  const isPlain = /^(?!xn--)[a-z\d-]+$/i.test(label);
  const ascii = isPlain ? label.toLowerCase() : internationalAscii(label);
  return ascii.length <= longestLabel ? ascii : '';
}

/** With another label, since a number alone is read as an IP address. */
function internationalAscii(label: string): string {
  if (!internationalLabel.test(label)) return '';
  const converted = domainToASCII(`${label}.x`);
  const shown = domainToUnicode(converted);
  const isSame = domainToASCII(shown) === converted && !shown.startsWith('xn--');
  const ascii = converted.slice(0, -2);
  return isSame && internationalLabel.test(shown.slice(0, -2)) && !/^-|-$/.test(ascii) ? ascii : '';
}
