import type { Operation } from '../../api/operation.ts';
import { operations } from '../../api/operations.ts';
import type { AnyRequest } from './request.ts';

/**
 * What a request does and when it may be repeated: by the contract, or else with care. Nobody promises
 * that PUT and DELETE of an unknown endpoint can be repeated, and a second DELETE is a 404.
 */
export function rulesOf({ method, path }: AnyRequest): Pick<Operation, 'effect' | 'repeat'> {
  const [pathname = ''] = path.split('?', 1);
  const known = Object.values(operations).find(
    (operation) => operation.method === method && isOf(pathname, operation.path),
  );
  if (known !== undefined) return { effect: known.effect, repeat: known.repeat };
  return method === 'GET' || method === 'HEAD'
    ? { effect: 'reads', repeat: 'harmless' }
    : { effect: 'writes', repeat: 'unsent' };
}

function isOf(pathname: string, template: string): boolean {
  const parts = pathname.replace(/\/$/, '').split('/');
  const wanted = template.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => part.startsWith('{') || part === parts[index])
  );
}
