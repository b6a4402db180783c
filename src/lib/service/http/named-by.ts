import type { NameOf } from './check-request.ts';

/** What errors call each field: by these flags and arguments. */
export function namedBy(names: Readonly<Record<string, string>>): NameOf {
  return (field) => names[field];
}
