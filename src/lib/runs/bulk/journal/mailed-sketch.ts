import { createHash } from 'node:crypto';
import { bareAddress } from '../../../../api/bare-address.ts';
import type { SendBody } from '../../../../api/email.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';

/**
 * A sample of who gets which subject: the smallest digests of rows, in hex and sorted. It is the same whatever text is
 * made of the rows, in any order and file format, and shows how many people of two files are the same (a bottom-k sketch).
 */
export type MailedSketch = readonly string[];

/** Digests in a sketch. Of smaller files, it has all rows. */
const size = 256;

/** Makes a sketch of the rows that are added. Its memory does not grow with their number. */
export function createMailedSketch() {
  let smallest = new Set<string>();
  let bound: string | undefined;
  const shrink = () => {
    const sorted = [...smallest].sort().slice(0, size);
    smallest = new Set(sorted);
    if (sorted.length === size) bound = sorted.at(-1);
  };
  return {
    add(email: SendBody): void {
      const { subject = '', templateId = '' } = email;
      const who = allRecipients(email).map(bareAddress).sort();
      const row = canonicalJson([who, subject, templateId]);
      const digest = createHash('sha256').update(row).digest('hex').slice(0, 16);
      if (bound !== undefined && digest > bound) return;
      smallest.add(digest);
      if (smallest.size >= 2 * size) shrink();
    },
    end(): MailedSketch {
      shrink();
      return [...smallest].sort();
    },
  };
}

/** The part of the rows that another file has, too, from 0 to 1: exact for small files, otherwise estimated. */
export function partIn(other: MailedSketch, rows: MailedSketch): number {
  const union = [...new Set([...rows, ...other])].sort().slice(0, size);
  const [first, second] = [new Set(rows), new Set(other)];
  const both = union.filter((digest) => first.has(digest) && second.has(digest));
  const all = rowsOf(rows);
  return all === 0 ? 0 : Math.min(1, ((both.length / union.length) * rowsOf(union)) / all);
}

/** How many different rows a sketch stands for: digests are spread evenly, so the largest one tells. */
function rowsOf(sketch: MailedSketch): number {
  if (sketch.length < size) return sketch.length;
  return (size - 1) / (Number(`0x${sketch.at(-1)}`) / 2 ** 64);
}
