import type { Fault } from './fault.ts';

/**
 * Whether a fault is for requests of this method to this path of the API. In `path` too, `{name}`
 * stands for one segment: that of a route is concerned if that of some request to it is.
 */
export function concerns(
  fault: Pick<Fault, 'method' | 'path'>,
  method: string,
  path: string,
): boolean {
  if (fault.method !== '*' && fault.method !== method) return false;
  if (fault.path === '*') return true;
  const expected = fault.path.split('/');
  const segments = path.split('/');
  const open = expected.at(-1) === '*';
  if (open ? segments.length < expected.length : segments.length !== expected.length) return false;
  return expected.every((segment, index) => {
    const given = segments[index] ?? '';
    const placeholder = segment.startsWith('{') || (open && index === expected.length - 1);
    return placeholder ? given !== '' : segment === given || given.startsWith('{');
  });
}
