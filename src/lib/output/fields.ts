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

/** An object with only the fields at `paths`, in that order, nested as they were; null where absent. */
export function pick(value: unknown, paths: readonly string[]): unknown {
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const parts = path.split('.');
    const last = parts.pop() ?? path;
    let target = picked;
    for (const part of parts) {
      const next = target[part];
      target = isObject(next) ? next : define(target, part, {});
    }
    define(target, last, valueAt(value, path) ?? null);
  }
  return picked;
}

/** A sentence about fields that no row has, most likely misspelt; undefined when there are none. */
export function unknownFields(rows: readonly unknown[], paths: readonly string[]) {
  if (rows.length === 0) return undefined;
  const missing = paths.filter((path) => rows.every((row) => valueAt(row, path) === undefined));
  if (missing.length === 0) return undefined;
  const known = new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])));
  return `The response has no field ${missing.join(', ')}. It has: ${[...known].join(', ')}`;
}

/** A reply with only these fields in each of its rows; what stands around the rows stays. */
export function pickInReply(given: unknown, rowsIn: string | undefined, paths: readonly string[]) {
  const reply = withExactNumbers(given);
  if (rowsIn === undefined)
    return Array.isArray(reply) ? reply.map((row) => pick(row, paths)) : pick(reply, paths);
  if (!isObject(reply)) return reply;
  const rows = reply[rowsIn];
  return { ...reply, [rowsIn]: Array.isArray(rows) ? rows.map((row) => pick(row, paths)) : rows };
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
