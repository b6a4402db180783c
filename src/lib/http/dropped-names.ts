import type { Issue } from '../errors.ts';

/** Fields of a body whose names people choose. */
const named = ['variables', 'headers', 'properties'] as const;

/**
 * Values of a request's input that are named `__proto__`: services take such a name for the object's
 * prototype and drop it without a word, as the schemas here do.
 */
export function droppedNames(input: unknown): Issue[] {
  const body = property(input, 'body');
  return named.flatMap((field) => {
    const values = property(body, field);
    if (typeof values !== 'object' || values === null || !Object.hasOwn(values, '__proto__')) {
      return [];
    }
    const path = ['body', field, '__proto__'];
    return [{ path, message: 'services drop this name; choose another one' }];
  });
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
