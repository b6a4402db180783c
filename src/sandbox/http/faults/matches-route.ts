import type { Fault } from './fault.ts';

/**
 * Whether a fault applies to requests with this method and path. `path` may also be that of a route:
 * `{name}` stands for one segment, here and in the fault.
 */
export function matchesRoute(
  fault: Pick<Fault, 'method' | 'path'>,
  method: string,
  path: string,
): boolean {
  // `* *` stands for requests to the API.
  if (fault.method !== method && (fault.method !== '*' || method === 'SMTP')) return false;
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
