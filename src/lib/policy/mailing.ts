import type { AnyRequest } from '../http/request.ts';
import { decoded } from '../text/decoded.ts';

/** What a request that writes can have to do with mail; an `unknown` one may mail anybody. */
export type MailKind =
  | 'email'
  | 'batch'
  | 'reschedule'
  | 'campaign create'
  | 'campaign start'
  | 'contact'
  | 'contacts'
  | 'event'
  | 'none'
  | 'unknown';

/** A request, and the ids in its path. */
export interface Classified {
  readonly kind: MailKind;
  readonly ids: Readonly<Record<string, string>>;
}

/** Each request that writes, by method and path in lower case. A test compares it with the contract. */
const kinds: readonly (readonly [method: RegExp, path: RegExp, kind: MailKind])[] = [
  [/^POST$/, /^\/v1\/emails$/i, 'email'],
  [/^POST$/, /^\/v1\/emails\/batch$/i, 'batch'],
  [/^PATCH$/, /^\/v1\/emails\/(?<email>[^/]+)$/i, 'reschedule'],
  [/^POST$/, /^\/v1\/emails\/[^/]+\/cancel$/i, 'none'],
  [/^POST$/, /^\/v1\/campaigns$/i, 'campaign create'],
  [/^POST$/, /^\/v1\/campaigns\/(?<campaign>[^/]+)\/(?:schedule|resume)$/i, 'campaign start'],
  [/^POST$/, /^\/v1\/campaigns\/[^/]+\/pause$/i, 'none'],
  [/^POST$/, /^\/v1\/contactBooks\/(?<book>[^/]+)\/contacts$/i, 'contact'],
  [/^PUT$/, /^\/v1\/contactBooks\/(?<book>[^/]+)\/contacts\/[^/]+$/i, 'contact'],
  [/^POST$/, /^\/v1\/contactBooks\/(?<book>[^/]+)\/contacts\/bulk$/i, 'contacts'],
  [/^PATCH$/, /^\/v1\/contactBooks\/[^/]+(?:\/contacts\/[^/]+)?$/i, 'none'],
  [/^POST$/, /^\/v1\/(?:contactBooks|domains|templates|segments)$/i, 'none'],
  [/^POST$/, /^\/v1\/templates\/render$/i, 'none'],
  [/^POST$/, /^\/v1\/segments\/[^/]+\/(?:preview|materialize)$/i, 'none'],
  [/^PUT$/, /^\/v1\/domains\/[^/]+\/verify$/i, 'none'],
  [/^POST$/, /^\/v1\/events\/send$/i, 'event'],
  // What is deleted mails nobody.
  [/^DELETE$/, /^/, 'none'],
];

/**
 * What a request that writes has to do with mail. Its path is read as lenient servers read it:
 * decoded, with double slashes as one, without a slash at its end, whatever its case. What is then no
 * path of the contract is `unknown`, and so is one that such a server might read differently.
 */
export function classify({ method, path }: Pick<AnyRequest, 'method' | 'path'>): Classified {
  const [pathname = ''] = path.split(/[?#]/, 1);
  const plain = decoded(pathname)
    .replace(/[/\\]+/g, '/')
    .replace(/(?<=.)\/$/, '');
  for (const [ofMethod, ofPath, kind] of kinds) {
    const found = ofMethod.test(method) ? ofPath.exec(plain) : null;
    if (found !== null) return { kind, ids: { ...found.groups } };
  }
  return { kind: 'unknown', ids: {} };
}
