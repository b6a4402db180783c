/** A CSV file of people named by their numbers. */
export function peopleCsv(rows: number): string {
  const line = (_: unknown, index: number) => `p${index + 1}@example.org,Name ${index + 1}`;
  return `to,name\n${Array.from({ length: rows }, line).join('\n')}\n`;
}
