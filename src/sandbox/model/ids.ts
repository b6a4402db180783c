import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const timeLength = 8;
const randomLength = 16;

/**
 * A new id in the service's form (a cuid): `c`, then the time (milliseconds since 1970) and random
 * characters, 24 in all. Ids of about the same time are neighbours in the indexes.
 */
export function newId(now: number): string {
  const time = Math.trunc(now).toString(36).padStart(timeLength, '0').slice(-timeLength);
  let id = `c${time}`;
  for (const byte of randomBytes(randomLength)) id += alphabet.charAt(byte % alphabet.length);
  return id;
}
