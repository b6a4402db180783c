/** A list of strings, such as addresses, from its column. */
export function strings(json: string): string[] {
  // Such columns are only written with arrays of strings.
  return JSON.parse(json) as string[];
}

/** Strings by name, such as headers, from their column. */
export function stringRecord(json: string): Record<string, string> {
  // As above, with objects of strings.
  return JSON.parse(json) as Record<string, string>;
}
