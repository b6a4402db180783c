import { createHash } from 'node:crypto';
import { PolicyError, UsageError } from '../../base/errors.ts';
import { bodyText, type WireRequest } from '../../base/system/wire.ts';
import { visible } from '../../base/text/visible.ts';
import { withName } from './with-name.ts';

/**
 * A digest of exactly what is sent and where: method, URL and body. Without headers: the API key
 * may change, and the idempotency key differs each time.
 */
export function requestDigest({
  method,
  url,
  body,
}: Pick<WireRequest, 'method' | 'url' | 'body'>): string {
  const parts = [1, method, url.href, body === undefined ? null : bodyText(body)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The same with the names by which ids were found. */
export function namedDigest(
  request: Pick<WireRequest, 'method' | 'url' | 'body'>,
  names: ReadonlyMap<string, string>,
): string {
  return requestDigest([...names].reduce((one, [id, name]) => withName(one, id, name), request));
}

/** Makes one digest of those of requests, in order: of a single one, its own. It is undefined if one of them is, or of none. */
export function digestOfAll() {
  const hash = createHash('sha256');
  let [first, count, isKnown]: [string | undefined, number, boolean] = [undefined, 0, true];
  return {
    add(digest: string | undefined): void {
      first ??= digest;
      count += 1;
      isKnown &&= digest !== undefined;
      hash.update(`${digest}\n`);
    },
    end(): string | undefined {
      if (!isKnown || count < 2) return isKnown ? first : undefined;
      return hash.copy().digest('hex');
    },
  };
}

/** Throws a `PolicyError` unless the digest of what would be sent is the expected one, and a `UsageError` for what is no digest. */
export function assertDigest(digest: string | undefined, expected: string): void {
  const wanted = expected.trim().toLowerCase();
  if (digest === wanted) return;
  // Such as the null of a plan without one.
  if (!/^[0-9a-f]{64}$/.test(wanted)) {
    throw new UsageError(`--expect: ${JSON.stringify(expected)} is not a digest`, {
      hint: 'Nothing was sent. --dry-run --json prints it, as digest: 64 digits and letters from a to f.',
    });
  }
  const found = digest === undefined ? 'is not recorded' : `is ${digest}`;
  throw new PolicyError(
    `--expect: the digest of what would be sent ${found}, not ${visible(expected)}.`,
    {
      hint: 'Nothing was sent. To see what would be sent, and its digest: --dry-run --json',
    },
  );
}
