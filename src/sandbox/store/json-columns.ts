/** Reads a column with a list of strings, such as addresses. */
export function strings(json: string): string[] {
  // These columns are only written with arrays of strings.
  return JSON.parse(json) as string[];
}

/** Reads a column with strings by name, such as headers. */
export function stringRecord(json: string): Record<string, string> {
  // As above, with objects of strings.
  return JSON.parse(json) as Record<string, string>;
}
