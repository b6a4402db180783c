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
  const isOther = namesOtherMethod(request.path);
  const isReading = !isOther && (method === 'GET' || method === 'HEAD');
  // Servers and proxies that decode a path may read an odd id as more of it: of a preview, which is a POST, as another one.
  const isPlain = isReading || known?.effect !== 'reads' || /^[\w/-]+(?:\?|$)/.test(request.path);
  if (known !== undefined && isPlain && !isOther) {
    return { effect: known.effect, repeat: known.repeat };
  }
  return isReading
    ? { effect: 'reads', repeat: 'harmless' }
    : { effect: method === 'DELETE' || isOther ? 'deletes' : 'mails', repeat: 'unsent' };
}

/** Some servers take the method that a query names, so that a GET deletes. */
function namesOtherMethod(path: string): boolean {
  const [, query = ''] = path.split('?', 2);
  return [...new URLSearchParams(query).keys()].some((name) => /method/i.test(name));
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
