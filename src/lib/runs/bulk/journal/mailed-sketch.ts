import { createHash } from 'node:crypto';
import { bareAddress } from '../../../../api/bare-address.ts';
import type { SendBody } from '../../../../api/email.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';

/**
 * A sample of a set: the smallest digests of its members, in hex and sorted. It shows how much of two sets is the same (a
 * bottom-k sketch).
 */
type Sketch = readonly string[];

/**
 * Who gets which subject, the same with the values that an email is made of, and the emails as they are sent. All are the
 * same in any order and file format, and whatever the column of recipients is called; the first two whatever text is made
 * of them.
 */
export interface MailedSketch {
  readonly people: Sketch;
  readonly rows: Sketch;
  /** Undefined in older runs. */
  readonly emails?: Sketch;
}

/** Digests in a sketch. Of smaller sets, it has all members. */
const size = 256;

/** From this part on, people get an email again. Before a large file, a few of its rows are often sent as a trial. */
const leastPart = 0.25;

/** From so many people on, it is no chance that they get the same subject: fewer may get an alert again. */
const leastPeople = 5;

const recipientFields: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);

/** Makes a sketch of the emails that are added. Its memory does not grow with their number. */
export function createMailedSketch() {
  const people = createSketch();
  const rows = createSketch();
  const emails = createSketch();
  return {
    add(email: SendBody, values: Readonly<Record<string, unknown>>): void {
      const { subject = '', templateId = '' } = email;
      const who = allRecipients(email).map(bareAddress).sort();
      const others = Object.entries(values).flatMap(([name, value]) => {
        // JSON has numbers and booleans where CSV has their text.
        const text = typeof value === 'object' ? value : String(value);
        const isWho = typeof text === 'string' && who.includes(bareAddress(text));
        return isWho || recipientFields.has(name) ? [] : [[name, text] as const];
      });
      people.add(canonicalJson([who, subject, templateId]));
      rows.add(canonicalJson([who, subject, templateId, Object.fromEntries(others)]));
      emails.add(canonicalJson(email));
    },
    end: (): MailedSketch => ({ people: people.end(), rows: rows.end(), emails: emails.end() }),
  };
}

function createSketch() {
  let smallest = new Set<string>();
  let bound: string | undefined;
  const shrink = (): string[] => {
    const sorted = [...smallest].sort().slice(0, size);
    smallest = new Set(sorted);
    if (sorted.length === size) bound = sorted.at(-1);
    return sorted;
  };
  return {
    add(member: string): void {
      const digest = createHash('sha256').update(member).digest('hex').slice(0, 16);
      if (bound !== undefined && digest > bound) return;
      smallest.add(digest);
      if (smallest.size >= 2 * size) shrink();
    },
    end: shrink,
  };
}

/**
 * The part of the people in `mailed` who have got the same subject in `before`, from 0 to 1; 0 if they are so few that it
 * may be another email. Exact for small files, otherwise estimated.
 */
export function partMailed(mailed: MailedSketch, before: MailedSketch): number {
  const part = partIn(before.people, mailed.people);
  const isMany = part >= leastPart && part * membersOf(mailed.people) >= leastPeople;
  const isSame =
    partIn(before.rows, mailed.rows) >= leastPart ||
    partIn(before.emails ?? [], mailed.emails ?? []) >= leastPart;
  return isMany || isSame ? part : 0;
}

/** A sketch of what several runs have mailed, each person and email once. */
export function mailedTogether(sketches: readonly MailedSketch[]): MailedSketch {
  const all = (of: keyof MailedSketch) =>
    smallestOf(sketches.flatMap((sketch) => sketch[of] ?? []));
  return { people: all('people'), rows: all('rows'), emails: all('emails') };
}

/** Whether somebody in `mailed` has got the same subject in `before`, as far as a sample tells. */
export function hasMailedSome(mailed: MailedSketch, before: MailedSketch): boolean {
  return partIn(before.people, mailed.people) > 0;
}

function smallestOf(digests: readonly string[]): string[] {
  return [...new Set(digests)].sort().slice(0, size);
}

function partIn(other: Sketch, set: Sketch): number {
  const union = smallestOf([...set, ...other]);
  const [first, second] = [new Set(set), new Set(other)];
  const both = union.filter((digest) => first.has(digest) && second.has(digest));
  const all = membersOf(set);
  return all === 0 ? 0 : Math.min(1, ((both.length / union.length) * membersOf(union)) / all);
}

/** How many members a sketch stands for: digests are spread evenly, so the largest one tells. */
function membersOf(sketch: Sketch): number {
  if (sketch.length < size) return sketch.length;
  return (size - 1) / (Number(`0x${sketch.at(-1)}`) / 2 ** 64);
}
