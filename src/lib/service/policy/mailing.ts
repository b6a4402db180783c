import { decoded } from '../../base/text/decoded.ts';
import type { AnyRequest } from '../http/build-request.ts';

/** The kind of a request, and the ids in its path. */
export interface Classified {
  readonly kind: MailKind;
  readonly ids: Readonly<Record<string, string>>;
}

/** Every write request, by method and path. A test compares the table with the contract. */
const kinds = [
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
  // Deleting sends no email.
  [/^DELETE$/, /^/, 'none'],
] as const satisfies readonly (readonly [method: RegExp, path: RegExp, kind: string])[];

/** What mail a write request can cause; an `unknown` one may mail anybody. */
export type MailKind = (typeof kinds)[number][2] | 'unknown';

/** Whether a request only stops what would be mailed: exactly, because servers may read other spellings in different ways. */
export function isStop({ method, path }: Pick<AnyRequest, 'method' | 'path'>): boolean {
  return (
    method === 'POST' && /^\/v1\/(emails\/[\w-]+\/cancel|campaigns\/[\w-]+\/pause)$/.test(path)
  );
}

/**
 * Classifies a write request. Its path is normalised as lenient servers do: decoded, with double slashes
 * merged, no trailing slash, in any case. A path that is then not in the contract, or that servers might
 * read in different ways, is `unknown`.
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
