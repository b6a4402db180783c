/** An issue with one string in a value, and its path. */
interface NulIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The most strings reported. Checking stops there. */
const nulsNamed = 100;

/**
 * Finds strings with NUL in a JSON value. PostgreSQL rejects them, and Node 22.19 cuts them off in SQLite.
 */
export function nulIssues(value: unknown): NulIssue[] {
  const found: NulIssue[] = [];
  if (holdsNul(value)) collect(value, [], found);
  return found;
}

/** A quick check, because there is hardly ever one. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsNul);
}

function collect(value: unknown, path: NulIssue['path'], found: NulIssue[]): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) found.push({ path, message: 'must not contain a NUL character' });
  } else if (typeof value === 'object' && value !== null) {
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [name, one] of entries) {
      if (found.length === nulsNamed) return;
      collect(one, [...path, name], found);
    }
  }
}
