/**
 * How a book spells the name of a property: as its `variables` do, which campaigns fill in, whatever
 * its case; other names stay as they are. The service does the same.
 */
export function spelledBy(
  variables: readonly string[] | null | undefined,
): (name: string) => string {
  const known = new Map((variables ?? []).map((name) => [name.toLowerCase(), name]));
  return (name) => known.get(name.toLowerCase()) ?? name;
}

/** The same for a book that gets each name as a variable: one it does not have stays as it was first. */
export function spelledAsFirst(
  variables: readonly string[] | null | undefined,
): (name: string) => string {
  const known = new Map((variables ?? []).map((name) => [name.toLowerCase(), name]));
  return (name) => {
    const plain = name.toLowerCase();
    const first = known.get(plain) ?? name;
    known.set(plain, first);
    return first;
  };
}
