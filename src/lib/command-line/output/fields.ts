import { withExactNumbers } from '../../base/json/exact-numbers.ts';

/**
 * The value at a dotted path; `emailEvents.status` of an array gives the status of each entry. A
 * property whose own name contains the dots comes first. Undefined if there is nothing.
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

/**
 * Whether there is a value at a dotted path; in an array, in any of its entries. An empty array
 * counts.
 */
export function hasValueAt(row: unknown, path: string): boolean {
  return isThere(valueAt(row, path));
}

function isThere(value: unknown): boolean {
  return isList(value) ? value.length === 0 || value.some(isThere) : value !== undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A part of a row, under its name in the output. */
interface NamedValue {
  readonly name: string;
  readonly valueIn: (row: unknown) => unknown;
}

/** An object with only these fields, in this order, nested as their names say; null if absent. */
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

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // Own property, just checked.
  return (value as Record<string, unknown>)[name];
}

/** Defines a property, even `__proto__`, without touching the prototype. */
export function define<Value>(target: Record<string, unknown>, name: string, value: Value): Value {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return value;
}
