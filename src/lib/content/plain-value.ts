import type { parse, Scalar } from 'yaml';

/**
 * What YAML makes of a value without quotes, if that is not what stands there: `is read as Order, without #42`. Of
 * values in quotes or blocks, nothing.
 */
export function looksOtherwise(
  { value, type, comment, anchor, tag }: Scalar<string>,
  line: string,
  parseYaml: typeof parse,
): string | undefined {
  if (type !== 'PLAIN') return undefined;
  if (comment != null && line.includes(`#${comment}`)) {
    return `is ${JSON.stringify(value)} in YAML, without ${JSON.stringify(`#${comment}`.trimEnd())}`;
  }
  if (anchor !== undefined || tag !== undefined) {
    return `is ${JSON.stringify(value)} in YAML, without its first word`;
  }
  // Nobody takes a missing value for one.
  if (value === '') return undefined;
  for (const version of ['1.1', '1.2'] as const) {
    const read: unknown = parseYaml(value, { version });
    if (read instanceof Date) return `is a date in YAML: ${value}`;
    if (typeof read === 'string' || String(read) === value) continue;
    return `is ${read === null ? 'nothing' : String(read)} in YAML: ${value}`;
  }
  return value === 'null' ? 'is nothing in YAML: null' : undefined;
}

/** What to do about a line that is not what it looks like: the end of a sentence. */
export function quoteHint(line: string): string {
  const [, field, value = ''] = /^([\w-]+):[ \t]+(.*?)[ \t]*$/.exec(line) ?? [];
  if (field === undefined || value === '' || /^["']/.test(value)) return '';
  const quoted = value.includes('"')
    ? `'${value.replaceAll("'", "''")}'`
    : `"${value.replaceAll('\\', '\\\\')}"`;
  return `; put the value in quotes: ${field}: ${quoted}`;
}
