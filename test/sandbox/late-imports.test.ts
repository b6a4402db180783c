import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/process.ts';
import { filesIn, read } from '../support/sources.ts';

test('a served sandbox loads all late imports at its start', () => {
  const serving = read('src/local-service/serving.ts');
  const imported = (text: string) =>
    [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) => name);
  const inFolder = (path: string, name: string) =>
    name.startsWith('.') ? resolve(root, dirname(path), name) : name;
  // The code for receiving mail, DNS and delivery is loaded at the start, or never.
  const loaded = imported(serving)
    .map((name) => inFolder('src/local-service/x', name))
    .filter((path) => !/\/(?:dns|smtp)-server\.ts$/.test(path));
  const late = filesIn('src/sandbox/**/*.ts')
    .filter((path) => path !== 'src/sandbox/mail/deliver/recipient-server.ts')
    .flatMap((path) => imported(read(path)).map((name) => inFolder(path, name)))
    .filter((path) => !path.endsWith('/deliver/delivery.ts'));
  expect(late.length).toBeGreaterThan(4);
  expect([...new Set(late)].sort()).toEqual(loaded.sort());
});
