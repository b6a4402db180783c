import { expect, test } from 'vitest';
import { fileSize } from '../../src/shared/file-size.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 KiB'],
  [1280, '1.3 KiB'],
  [10_200, '10 KiB'],
  [10_752, '11 KiB'],
  [1_048_575, '1 MiB'],
  [61_000_000, '58 MiB'],
])('%s is %s', (bytes, shown) => {
  expect(fileSize(bytes)).toBe(shown);
});
