/** What a column holds that is a list of texts, such as addresses. */
export function strings(json: string): string[] {
  // Who writes such a column makes it of an array of strings.
  return JSON.parse(json) as string[];
}

/** What a column holds that is texts by their names, such as headers. */
export function stringRecord(json: string): Record<string, string> {
  // Who writes such a column makes it of an object of strings.
  return JSON.parse(json) as Record<string, string>;
}
