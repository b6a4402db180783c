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

/** The IPv4 address of an address of a server, if IPv6 only wraps one (`::ffff:192.0.2.1`); else the address. */
export function unmapped(address: Octets): Octets {
  const isMapped = address.slice(0, 12).every((octet, index) => octet === (index < 10 ? 0 : 255));
  return address.length === 16 && isMapped ? address.slice(12) : address;
}

/** Whether an address and a network agree in the first `prefix` bits; never across families. */
export function inNetwork(address: Octets, network: Octets, prefix: number): boolean {
  if (address.length !== network.length) return false;
  return address.every((octet, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8));
    return (octet ^ (network[index] ?? 0)) >> (8 - bits) === 0;
  });
}

/** The address as `%{i}` and PTR have it: `192.0.2.1`, or the 32 hexadecimal digits of IPv6, with dots. */
export function dotted(address: Octets): string {
  if (address.length === 4) return address.join('.');
  return address.flatMap((octet) => [...octet.toString(16).padStart(2, '0')]).join('.');
}
