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
