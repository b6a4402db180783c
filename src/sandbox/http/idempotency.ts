import { createHash, randomUUID } from 'node:crypto';
import { limits } from '../../api/limits.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { ApiError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';

const recordLifetime = limits.idempotencyRecordHours * 3_600_000;

/** A claim whose process was killed expires after this time. */
const claimLifetime = 60_000;

interface KeyedWork {
  readonly key: string | undefined;
  readonly body: unknown;
  readonly now: number;
  /** Awaited while the key is claimed; without it, everything is one transaction. */
  readonly processing: (() => Promise<void>) | undefined;
  /** Sends in a transaction, and returns the ids in order. */
  readonly send: () => string[];
}

/**
 * Sends with an idempotency key, or without one. The same body with the same key is not sent again:
 * the first ids are returned. Throws `ApiError` NOT_UNIQUE if the key was used for another body, or
 * while another request with it is being processed. If `send` throws, nothing is recorded. The
 * emails and the record are stored together.
 */
export async function sendOnce(store: Store, work: KeyedWork): Promise<string[]> {
  const { key, body, now, processing } = work;
  if (key === undefined) return store.write(work.send);
  const { min, max } = limits.idempotencyKeyLength;
  if (key.length < min || key.length > max) {
    throw new ApiError('BAD_REQUEST', `An Idempotency-Key has ${min} to ${max} characters`);
  }

  const claim = randomUUID();
  const hash = bodyHash(body);
  const claimKey = () => {
    store.run('DELETE FROM idempotency WHERE expires_at <= ?', now);
    const known = knownIds(store, key, hash);
    if (known === undefined) {
      const expiresAt = now + claimLifetime;
      store.insert('idempotency', { key, bodyHash: hash, claim, expiresAt });
    }
    return known;
  };
  const send = () => {
    const ids = work.send();
    keep(store, key, claim, ids, now);
    return ids;
  };
  if (processing === undefined) return store.write(() => claimKey() ?? send());
  const known = store.write(claimKey);
  if (known !== undefined) return known;
  try {
    await processing();
    return store.write(send);
  } catch (error) {
    store.write(() => store.run('DELETE FROM idempotency WHERE key = ? AND claim = ?', key, claim));
    throw error;
  }
}

/** The ids of the emails sent with this key and body; undefined if none were sent. */
function knownIds(store: Store, key: string, hash: string): string[] | undefined {
  const record = store.one<{ bodyHash: string; emailIds: string[] | null }>(
    'SELECT body_hash, email_ids FROM idempotency WHERE key = ?',
    key,
  );
  if (record === undefined) return undefined;
  if (record.emailIds === null) {
    throw new ApiError('NOT_UNIQUE', 'A request with this Idempotency-Key is in progress');
  }
  if (record.bodyHash !== hash) {
    throw new ApiError('NOT_UNIQUE', 'This Idempotency-Key was used with a different body');
  }
  return record.emailIds;
}

function keep(store: Store, key: string, claim: string, ids: string[], now: number): void {
  const kept = store.run(
    'UPDATE idempotency SET email_ids = ?, expires_at = ? WHERE key = ? AND claim = ?',
    ids,
    now + recordLifetime,
    key,
    claim,
  );
  // Another request took the expired claim, and sends instead.
  if (kept === 0) throw new ApiError('NOT_UNIQUE', 'This request took too long');
}

function bodyHash(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('hex');
}
