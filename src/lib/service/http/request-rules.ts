import type { Operation } from '../../../api/operation.ts';
import { operations } from '../../../api/operations.ts';
import type { FailedRequest } from '../../base/errors.ts';
import type { AnyRequest } from './build-request.ts';

/**
 * What a request does and when it may be retried: by the contract, otherwise by its method, conservatively.
 * Nothing guarantees that PUT and DELETE of an unknown endpoint can be repeated, and a second
 * DELETE is a 404.
 */
export function rulesOf(request: AnyRequest): Pick<Operation, 'effect' | 'repeat'> {
  const { method } = request;
  const known = operationOf(request);
  const isReading = method === 'GET' || method === 'HEAD';
  // Servers and proxies that decode a path may read an odd id as more of it: of a preview, which is a POST, as another one.
  const isCertain = isReading || known?.effect !== 'reads' || /^[\w/-]+(?:\?|$)/.test(request.path);
  if (known !== undefined && isCertain) return { effect: known.effect, repeat: known.repeat };
  return isReading
    ? { effect: 'reads', repeat: 'harmless' }
    : { effect: method === 'DELETE' ? 'deletes' : 'mails', repeat: 'unsent' };
}

/** The contract's operation with this method and path, if there is one. */
export function operationOf({ method, path }: Pick<FailedRequest, 'method' | 'path'>) {
  const [pathname = ''] = path.split('?', 1);
  return Object.values(operations).find(
    (operation) => operation.method === method && isOf(pathname, operation.path),
  );
}

function isOf(pathname: string, template: string): boolean {
  const parts = pathname.replace(/\/$/, '').split('/');
  const wanted = template.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => part.startsWith('{') || part === parts[index])
  );
}
