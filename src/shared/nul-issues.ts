/** What is wrong with one string in a value, and where it is. */
interface NulIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** So many strings are said to hold a NUL character; when there are more, the rest is not looked at. */
const nulsNamed = 100;

/**
 * Strings that hold a NUL character, wherever they are in a JSON value: PostgreSQL has no such text,
 * so services of this kind fail on it, and Node 22.19 reads text from SQLite only as far as the first.
 */
export function nulIssues(value: unknown): NulIssue[] {
  const found: NulIssue[] = [];
  if (holdsNul(value)) collect(value, [], found);
  return found;
}

/** Whether there is one anywhere: there is none in nearly all that is checked. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    if (holdsNul(one)) return true;
  }
  return false;
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
