import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the tests that the guarantees name exist', () => {
  const page = readFileSync('docs/guarantees.md', 'utf8');
  const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
