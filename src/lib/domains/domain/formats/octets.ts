/** The most octets in one string of a TXT record (RFC 1035, 3.3). */
const longest = 255;

/**
 * The value of a TXT record as strings of at most 255 octets, without quotes around each. Escapes quotes and
 * backslashes, and anything but printable ASCII as `\` and three digits: decimal in zone files (RFC 1035,
 * 5.1), octal at Route 53.
 */
export function characterStrings(value: string, radix: 8 | 10): string[] {
  const octets = Buffer.from(value, 'utf8');
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < octets.length; start += longest) {
    const part = octets.subarray(start, start + longest);
    strings.push(Array.from(part, (octet) => escapeOctet(octet, radix)).join(''));
  }
  return strings;
}

/** These strings in quotes, separated by spaces. */
export function quotedStrings(value: string, radix: 8 | 10): string {
  return characterStrings(value, radix)
    .map((string) => `"${string}"`)
    .join(' ');
}

/** A full name for a zone file, with a dot at the end. Characters that host names cannot have are escaped. */
export function absoluteName(fqdn: string): string {
  const octets = Buffer.from(fqdn, 'utf8');
  const escaped = Array.from(octets, (octet) => {
    const character = String.fromCharCode(octet);
    return /[\w.*-]/.test(character) ? character : numeric(octet, 10);
  });
  return `${escaped.join('')}.`;
}

/** JSON on several lines and only in ASCII, so that pasting cannot change it. */
export function asciiJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
}

function escapeOctet(octet: number, radix: 8 | 10): string {
  const character = String.fromCharCode(octet);
  if (character === '"' || character === '\\') return `\\${character}`;
  return octet >= 0x20 && octet < 0x7f ? character : numeric(octet, radix);
}

function numeric(octet: number, radix: 8 | 10): string {
  return `\\${octet.toString(radix).padStart(3, '0')}`;
}
