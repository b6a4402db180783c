import { expect, test } from 'vitest';
import { redact } from '../../../../src/lib/service/http/redact.ts';
import { pick, seeded } from '../../../support/seeded.ts';

const signs = [...Array(94).keys()].map((index) => String.fromCharCode(33 + index));
const alphabet: [string, ...string[]] = ['_', ...signs];

/** How a character may be encoded. */
const forms: [(one: string) => string, ...((one: string) => string)[]] = [
  (one) => one,
  (one) => one.toUpperCase(),
  (one) => `\\u00${hexOf(one)}`,
  (one) => `\\\\x${hexOf(one).toUpperCase()}`,
  (one) => `%25${hexOf(one)}`,
  (one) => `&#${one.charCodeAt(0)};`,
];

function hexOf(one: string): string {
  return one.charCodeAt(0).toString(16);
}

function randomKey(random: () => number, length: number): string {
  return Array.from({ length }, () => pick(random, alphabet)).join('');
}

/** A key with each character encoded in a random form, or without encoding. */
function written(random: () => number, key: string): string {
  if (random() < 0.3) return key;
  return [...key].map((one) => pick(random, forms)(one)).join('');
}

test('removes a key in any encoding, and nothing that only resembles it', () => {
  const random = seeded(20_260_801);
  for (let round = 0; round < 60; round++) {
    const key = randomKey(random, 6 + Math.floor(random() * 50));
    const place = Math.floor(random() * key.length);
    const another = key[place] === '!' ? '?' : '!';
    const similar = written(random, key.slice(0, place) + another + key.slice(place + 1));
    const without = ['Hi ', ` ${similar} `, ` ${key.slice(-5)} `, ` ${key.slice(0, -1)} `, '\n'];
    expect(redact(without.join(''), [key]), key).toBe(without.join(''));
    const echoed = without.join(written(random, key));
    expect(redact(echoed, [key]), `${key} in ${echoed}`).toBe(without.join('***'));
  }
});
