import { grouped } from './grouped.ts';

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in readable form: `1 byte`, `512 bytes`, `1.5 KiB`, `58 MiB`. */
export function fileSize(bytes: number): string {
  let size = bytes;
  let unit: string = bytes === 1 ? 'byte' : 'bytes';
  for (const larger of units) {
    // A value that rounds to 1024 becomes 1 of the next unit.
    if (Math.round(size) < 1024) break;
    size /= 1024;
    unit = larger;
  }
  return `${size < 10 ? Number(size.toFixed(1)) : grouped(Math.round(size))} ${unit}`;
}
