import type { HeaderOf } from '../../../shared/webhook/signature.ts';
import { UsageError } from '../../base/errors.ts';

/**
 * Reads headers from a file: lines `Name: value`, as logs and `curl -v` have them, or a JSON object of names and
 * values. Lines without a colon, such as a request line, are ignored, but those that continue a header are not.
 */
export function readHeaders(text: string, flag: string): HeaderOf {
  const pairs = text.trimStart().startsWith('{') ? ofJson(text, flag) : ofLines(text);
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.trim().toLowerCase();
    const before = headers.get(key);
    // As Node gives a handler those that stand twice (RFC 9110, 5.3).
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return (name) => headers.get(name);
}

/** Lines of headers; only spaces and tabs around a value do not belong to it (RFC 9112, 5). */
function ofLines(text: string): [string, string][] {
  const [indent = ''] = /^[ \t]*(?=\S)/m.exec(text) ?? [];
  const pairs: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    const own = line.startsWith(indent) ? line.slice(indent.length) : line;
    const [, name, value = ''] = /^(?:[<>] )?([\w-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(own) ?? [];
    const last = pairs.at(-1);
    if (name !== undefined) pairs.push([name, value]);
    else if (/^[ \t]+\S/.test(own) && last !== undefined) last[1] += ` ${own.trim()}`;
  }
  return pairs;
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
    Array.isArray(one) ? one.join(', ') : String(one),
  ]);
}
