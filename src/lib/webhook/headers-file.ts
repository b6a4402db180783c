import type { HeaderOf } from '../../shared/webhook/signature.ts';
import { UsageError } from '../errors.ts';

/**
 * Reads headers from a file: lines `Name: value`, as logs and `curl -v` have them, or a JSON object of names and
 * values. Lines without a colon, such as a request line, are ignored.
 */
export function readHeaders(text: string, flag: string): HeaderOf {
  const pairs = text.trimStart().startsWith('{') ? ofJson(text, flag) : ofLines(text);
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.trim().toLowerCase();
    if (!headers.has(key)) headers.set(key, value);
  }
  return (name) => headers.get(name);
}

function ofLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^(?:[<>] )?\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

function ofJson(text: string, flag: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${flag}: the file begins like JSON, but is not JSON`);
  }
  return Object.entries(value ?? {}).map(([name, one]) => [
    name,
    String(Array.isArray(one) ? one[0] : one),
  ]);
}
