import type { Reply } from '../../../api/operations.ts';
import type { FailedRequest } from '../../base/errors.ts';

type Scopes = NonNullable<Reply<'account.get'>['scopes']>;

/** What a key may do: `contacts:read`, `send`. */
export function scopeNames(scopes: Scopes): string[] {
  return Object.entries(scopes).flatMap(([kind, right]) =>
    right === true ? kind : right === false || right === 'none' ? [] : `${kind}:${right}`,
  );
}

/** By the beginning of a path. */
const kinds: Readonly<Record<string, string>> = {
  ...{ emails: 'campaigns', campaigns: 'campaigns', contactBooks: 'lists', templates: 'templates' },
  ...{ segments: 'segments', analytics: 'analytics', reputation: 'reputation' },
};

/** The scope that a request needs and a key with these does not have; undefined if there is no such scope. */
export function missingScope(names: readonly string[], { method, path }: FailedRequest) {
  const [resource = '', id, part = ''] = path.replace(/^\/v1\/|\?.*$/g, '').split('/');
  const isSend = resource === 'events' || (resource === 'emails' && (id ?? 'batch') === 'batch');
  if (method === 'POST' && (isSend || /^(?:schedule|resume)$/.test(part))) {
    return names.includes('send') ? undefined : 'send';
  }
  const kind = part === 'contacts' ? part : kinds[resource];
  const enough = method === 'GET' ? ['read', 'write'] : ['write'];
  const has = kind === undefined || enough.some((right) => names.includes(`${kind}:${right}`));
  return has ? undefined : `${kind}:${enough[0]}`;
}
