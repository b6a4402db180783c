import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ConflictError, UsageError } from '../../base/errors.ts';
import { compact } from '../../base/text/compact.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { buildRequest } from '../../service/http/build-request.ts';
import { requestDigest } from '../../service/http/request-digest.ts';
import { accountInUse } from '../command/account-in-use.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { whenSent } from '../command/summary.ts';
import { describe } from './describe.ts';
import type { KeptEntry } from './outbox-shapes.ts';
import type { StoredEntry } from './outbox-store.ts';
import { digestOfAccount } from './prepare.ts';

/**
 * Throws a `UsageError` for an entry of another account, whose time has passed, or whose request or journal is not the one
 * that was prepared, and a `ConflictError` for a campaign that has changed at the service. `hasBegun` is for one that is being sent: its run is
 * with the other runs then.
 */
export async function checkExact(
  context: Context,
  { kept, directory }: StoredEntry,
  { hasBegun = false } = {},
): Promise<void> {
  const account = await accountInUse(context);
  const isOtherUrl = account.baseUrl !== kept.baseUrl;
  const isOtherProfile = (account.profile ?? null) !== kept.profile;
  const isOtherKey = digestOfAccount(kept.digest, account) !== kept.account;
  const differs = compact(
    isOtherUrl && `base URL ${kept.baseUrl}`,
    isOtherProfile && `profile ${kept.profile ?? 'none'}`,
    isOtherKey && 'another API key',
  );
  if (differs.length > 0) {
    const profile = isOtherProfile && kept.profile !== null && ['--profile', kept.profile];
    // A URL alone does not bring the key.
    const url = isOtherUrl && !isOtherKey && ['--base-url', kept.baseUrl];
    const flags = profile || url || [];
    const how = flags.length > 0 ? `: ${shellQuote(flags, context.system)}` : '.';
    throw new UsageError(
      `Entry ${kept.id} of the outbox was prepared for another account, with ${differs.join(', ')}.`,
      { hint: `Nothing was sent. Use the account that it was prepared with${how}` },
    );
  }
  if (!hasBegun && (await isLate(context, kept))) throw await late(context, kept);
  const { request, journal, campaignDigest } = kept;
  if (request !== null) {
    const wire = buildRequest(storedRequest(request), kept.baseUrl, {
      ...{ apiKey: undefined, idempotencyKey: undefined, userAgent: '' },
    });
    if (requestDigest(wire) !== kept.digest) throw changed(kept);
  }
  const path = join(directory, 'run', 'journal.sqlite');
  const isHere = journal !== null && existsSync(path);
  if (journal !== null && !isHere && !hasBegun) throw changed(kept);
  if (isHere && fileDigest(path) !== journal.digest) throw changed(kept);
  if (request === null || campaignDigest === null || hasBegun) return;
  const now = await describe(context, storedRequest(request));
  if (now.campaignDigest === campaignDigest) return;
  const what =
    now.recipients === kept.recipients
      ? 'what it sends, who gets it, or its status'
      : 'who gets it';
  throw new ConflictError(`The campaign has changed since it was prepared: ${what}.`, {
    hint: 'Nothing was sent. Prepare it again with --for-approval.',
  });
}

/** Whether its time has passed since it was prepared: it would be sent at once. */
export async function isLate(
  context: Context,
  { scheduledAt, preparedAt }: KeptEntry,
): Promise<boolean> {
  const at = Date.parse(scheduledAt ?? '');
  return at > Date.parse(preparedAt) && at <= (await context.serviceClock('ask'))();
}

async function late(context: Context, { id, scheduledAt }: KeptEntry): Promise<UsageError> {
  const at = await whenSent(scheduledAt ?? undefined, context);
  return new UsageError(`The time of entry ${id} of the outbox has passed: ${at}.`, {
    hint: `Nothing was sent. Prepare it again with another time, or reject it: ${nextCommand(context, 'outbox', 'reject', id)}`,
  });
}

function changed({ id }: KeptEntry): UsageError {
  return new UsageError(`Entry ${id} of the outbox was changed on disk.`, {
    hint: 'Nothing was sent. Prepare it again.',
  });
}

/** The request of an entry, as the client takes it. */
export function storedRequest({ method, path, body }: NonNullable<KeptEntry['request']>) {
  // Stored by `storeHeld`, from a request of the client.
  return { method: method as 'POST', path, body };
}

/** The digest of a file's bytes, in pieces: a journal may be large. */
export function fileDigest(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1 << 20);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, piece);
      if (length === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
