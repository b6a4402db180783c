import { parseAddresses } from '../../src/lib/base/input/addresses.ts';
import { cut, flow } from '../../src/lib/base/text/flow.ts';
import { plainPalette } from '../../src/lib/command-line/output/palette.ts';
import { createTable } from '../../src/lib/command-line/output/table.ts';
import { textOfHtml } from '../../src/lib/mail/content/text-of-html.ts';
import { redact } from '../../src/lib/service/http/redact.ts';
import { checkEmail } from '../../src/shared/check/check-email.ts';
import { hostileHtml } from '../../test/support/hostile-html.ts';

/** Work whose time should grow no faster than its input. */
export interface GrowingWork {
  /** The size of the smaller input. */
  readonly size: number;
  /** Makes an input of a size, and returns the work. */
  prepare(size: number): () => unknown;
}

const style = { palette: plainPalette, now: 0, timeZone: 'UTC' };

/** A table of two rows, the first with this subject. */
function table(subject: string, width: number, columns = 1): () => unknown {
  const subjects = Array.from({ length: columns }, () => ({ header: 'subject', flexible: true }));
  const cells = (text: string) => ['em_1', ...subjects.map(() => text), 'DELIVERED'];
  const headers = [{ header: 'id' }, ...subjects, { header: 'status' }];
  return () => createTable(headers, style, width)([cells(subject), cells('Hello')]);
}

const text = JSON.stringify({ text: `A & B\n${'50 % of all. '.repeat(20)}` });

/** A key that has not been looked for. */
function newKey(length: number): string {
  const sign = () => String.fromCharCode(33 + Math.floor(Math.random() * 94));
  return Array.from({ length }, sign).join('');
}

/** What is read as addresses, and is none. */
const noAddresses = ['"', '\\"', '(', ','];

function refused(value: string): void {
  try {
    parseAddresses([value], '--to');
  } catch {
    return;
  }
  throw new Error('It has addresses.');
}

export const works: Readonly<Record<string, GrowingWork>> = {
  'cutting a line': {
    size: 10_000,
    prepare: (size) => () => cut('é'.repeat(size), size - 1),
  },
  'filling lines': {
    size: 10_000,
    prepare: (size) => () => flow(Array(size).fill('é'), ' ', size * 2),
  },
  'table, a long cell': { size: 10_000, prepare: (size) => table('語'.repeat(size), 80) },
  'table, a wide terminal': { size: 2500, prepare: (size) => table('x'.repeat(size), size) },
  'table, many columns': { size: 250, prepare: (size) => table('Hello '.repeat(6), 80, size) },
  'redacting, a long key': {
    size: 20,
    prepare: (size) => () => {
      for (let count = 0; count < 100; count++) redact(text, [newKey(size)]);
    },
  },
  'text of HTML, blanks': {
    size: 100_000,
    prepare: (size) => () => textOfHtml(`<p>a${'\u00a0'.repeat(size)}b</p>`),
  },
  'addresses, a list': {
    size: 1500,
    prepare(size) {
      const all = Array.from({ length: size }, (_, at) => `"User, ${at}" <u${at}@example.com>`);
      return () => parseAddresses([all.join()], '--to');
    },
  },
  'addresses, none': {
    size: 25_000,
    prepare(size) {
      const values = noAddresses.map((one) => one.repeat(size));
      return () => values.forEach(refused);
    },
  },
  ...Object.fromEntries(
    Object.entries(hostileHtml).map(([name, make]) => [`checking HTML, ${name}`, checking(make)]),
  ),
};

function checking(make: (size: number) => string): GrowingWork {
  return {
    size: 40_000,
    prepare(size) {
      const html = make(size);
      return () => checkEmail({ kind: 'campaign', subject: 'Hi', html, text: html });
    },
  };
}
