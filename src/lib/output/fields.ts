import { withExactNumbers } from '../json/exact-numbers.ts';

/**
 * The value at a dotted path: `emailEvents.status` of an array gives the status of each entry. A
 * property whose name has the dots in it comes first. Undefined when there is nothing.
 */
export function valueAt(value: unknown, path: string): unknown {
  let current = withExactNumbers(value);
  if (isObject(current) && Object.hasOwn(current, path)) return current[path];
  for (const part of path.split('.')) {
    current =
      Array.isArray(current) && !/^\d+$/.test(part)
        ? current.map((one) => property(one, part))
        : property(current, part);
  }
  return current;
}

/** Whether something is at a dotted path; in an array, of any of its entries. An empty one may have it. */
export function hasValueAt(row: unknown, path: string): boolean {
  return isThere(valueAt(row, path));
}

function isThere(value: unknown): boolean {
  return isList(value) ? value.length === 0 || value.some(isThere) : value !== undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A part of a row under a name of its own. */
interface NamedValue {
  readonly name: string;
  readonly valueIn: (row: unknown) => unknown;
}

/** An object with only these fields, in that order, nested as in their names; null where absent. */
export function pick(row: unknown, fields: readonly NamedValue[]): unknown {
  const picked: Record<string, unknown> = {};
  for (const { name, valueIn } of fields) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let target = picked;
    for (const part of parts) {
      const next = target[part];
      target = isObject(next) ? next : define(target, part, {});
    }
    define(target, last, valueIn(row) ?? null);
  }
  return picked;
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // Own property, just checked.
  return (value as Record<string, unknown>)[name];
}

/** Sets a property, `__proto__` too, without touching the prototype. */
function define<Value>(target: Record<string, unknown>, name: string, value: Value): Value {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return value;
}
