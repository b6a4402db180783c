import { closeSync, openSync, readSync } from 'node:fs';

/** How much of a program names its loader: it is named by a header that linkers put first. */
const headBytes = 4096;

/**
 * The C library of a program for Linux, by the loader that it names (PT_INTERP of ELF); null if it names none of the two,
 * or cannot be read.
 */
export function libcOf(executable: string): 'glibc' | 'musl' | null {
  try {
    const head = Buffer.alloc(headBytes);
    const file = openSync(executable, 'r');
    try {
      readSync(file, head, 0, headBytes, 0);
    } finally {
      closeSync(file);
    }
    if (head.includes('/ld-musl-')) return 'musl';
    return head.includes('/ld-linux-') ? 'glibc' : null;
  } catch {
    // What runs was renamed or deleted meanwhile, by an update.
    return null;
  }
}
