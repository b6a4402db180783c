import { isIP } from 'node:net';

/** An IP address as 4 or 16 octets. */
export type Octets = readonly number[];

/**
 * Reads an IPv4 or IPv6 address; undefined for other texts, and for addresses with a zone, which no receiver sees.
 */
export function parseAddress(text: string): Octets | undefined {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 4) return text.split('.').map(Number);
  if (family === 0) return undefined;
  // `URL` writes every IPv6 address as groups of hexadecimal digits.
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const groups = (part = '') => (part === '' ? [] : part.split(':'));
  const [front, back] = [groups(head), groups(tail)];
  const middle = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return [...front, ...middle, ...back].flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 0xff];
  });
}
