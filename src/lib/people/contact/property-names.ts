/**
 * Returns a function that spells a property's name as the book does: like its variable of that name in any
 * case, which campaigns fill in. Other names stay unchanged. The service does the same.
 */
export function spelledBy(
  variables: readonly string[] | null | undefined,
): (name: string) => string {
  const known = new Map((variables ?? []).map((name) => [name.toLowerCase(), name]));
  if (known.size === 0) return (name) => name;
  return (name) => known.get(name.toLowerCase()) ?? name;
}

/** The same for a book in which each new name becomes a variable: it keeps its first spelling. */
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
