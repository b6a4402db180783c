import { createHash } from 'node:crypto';

/** A short digest of each part that shapes the emails of a run, by its name. */
export type ShapeDigests = Readonly<Record<string, string>>;

/**
 * Digests of the parts of a run's shape: enough to say later which of them is another, without
 * keeping what they are.
 */
export function shapeDigests({ fields, ...rest }: Readonly<Record<string, unknown>>): ShapeDigests {
  const parts = Object.entries({ ...rest, ...Object(fields) });
  return Object.fromEntries(
    parts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, digestOf(JSON.stringify(value))]),
  );
}

/** The names of the parts that differ. */
export function otherParts(before: ShapeDigests, now: ShapeDigests): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
