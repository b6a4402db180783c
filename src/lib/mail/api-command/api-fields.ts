import { UsageError } from '../../base/errors.ts';
import { parseExact } from '../../base/json/exact-numbers.ts';
import type { OrderedFlag } from '../../command-line/command/flags/repeatable.ts';

/** A `name=value` word: a string with `-f`, JSON with `-F`. */
interface Field {
  readonly flag: '-f' | '-F';
  readonly name: string;
  readonly text: string;
}

/** The fields of a request, in the order of the command line. */
export function readFields(given: readonly OrderedFlag[]): Field[] {
  return given.map(({ flag, value }) => split(value, flag === '-F' ? '-F' : '-f'));
}

function split(word: string, flag: Field['flag']): Field {
  const at = word.indexOf('=');
  if (at > 0) return { flag, name: word.slice(0, at), text: word.slice(at + 1) };
  const form = flag === '-f' ? 'name=value' : 'name=json';
  throw new UsageError(`${flag}: ${JSON.stringify(word)} is not ${form}`);
}

/** `path` with fields added to its query. A name may be repeated. */
export function withQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  const query = new URLSearchParams();
  for (const field of fields) query.append(field.name, queryText(field));
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function queryText(field: Field): string {
  const value = toValue(field);
  if (typeof value === 'string') return value;
  // A number, true or false has the same text in a query as in JSON.
  if (/^[^[{n]/.test(field.text.trim())) return field.text.trim();
  throw new UsageError(`${field.flag}: ${field.name} must be a single value in a query`);
}

/** An array made by names ending in `[]`. */
class Items {
  readonly values: unknown[] = [];
}

/** A JSON object of fields, as text: `a=v`, `a[b]=v` for a nested object, `a[]=v` for an array. */
export function bodyOf(fields: readonly Field[]): string {
  const body = new Map<string, unknown>();
  for (const field of fields) put(field, body);
  return JSON.stringify(body, (_name, value: unknown) => {
    // fromEntries makes even `__proto__` a plain property.
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Items ? value.values : value;
  });
}

/** Adds a field to a body; nested objects and arrays must come from names, not from JSON values. */
function put(field: Field, body: Map<string, unknown>): void {
  const { around, name, inArray } = placeOf(field);
  let target = body;
  for (const one of around) {
    if (!target.has(one)) target.set(one, new Map());
    const next = target.get(one);
    if (!(next instanceof Map)) throw misplaced(field);
    target = next;
  }
  if (inArray && !target.has(name)) target.set(name, new Items());
  const present = target.get(name);
  if (inArray && present instanceof Items) present.values.push(toValue(field));
  else if (target.has(name)) throw misplaced(field);
  else target.set(name, toValue(field));
}

/** `a[b][c]` and `a[b][c][]` are `c`, in `b`, in `a`. */
function placeOf({ flag, name }: Field) {
  const [, first = '', brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const around = [first, ...[...brackets.matchAll(/\[(.*?)\]/g)].map(([, inner = '']) => inner)];
  const inArray = around.length > 1 && around.at(-1) === '';
  if (inArray) around.pop();
  const last = around.pop() ?? '';
  if (last !== '' && !around.includes('')) return { around, name: last, inArray };
  throw new UsageError(`${flag}: ${JSON.stringify(name)} is not a name`, {
    hint: 'Use a, a[b] or a[]. For anything else, give a as JSON, with -F a=...',
  });
}

function misplaced({ flag, name }: Field): UsageError {
  return new UsageError(`${flag}: ${name} conflicts with an earlier field`);
}

function toValue({ flag, name, text }: Field): unknown {
  if (flag === '-f') return text;
  try {
    return parseExact(text);
  } catch {
    throw new UsageError(`-F: the value of ${name} is not JSON`, {
      hint: 'Give strings with -f',
    });
  }
}
