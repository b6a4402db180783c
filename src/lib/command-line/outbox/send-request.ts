import type { Operation } from '../../../api/operation.ts';
import { BadReplyError, ConflictError } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { keyLifetime } from '../../service/http/key-lifetime.ts';
import { acceptedValue } from '../../service/http/outcome.ts';
import { readReply } from '../../service/http/reply.ts';
import { operationOf, rulesOf } from '../../service/http/request-rules.ts';
import type { Context } from '../command/context.ts';
import { rememberLastCreated } from '../command/names/last-made.ts';
import { nextCommand } from '../command/next-command.ts';
import type { Result } from '../output/result.ts';
import { isLate, storedRequest } from './check-exact.ts';
import type { Outbox, StoredEntry } from './outbox-store.ts';
import { showEntry } from './show-entry.ts';

/**
 * Sends the request of an approved entry, once. One that may have been carried out is repeated under its idempotency key;
 * without one, or too late for that, it is a `ConflictError`. To be called while the entry is held.
 */
export async function sendRequest(
  context: Context,
  outbox: Outbox,
  stored: StoredEntry,
): Promise<Result> {
  const { kept, decided } = stored;
  if (kept.request === null) throw new TypeError('The entry is a run.');
  const { id, digest, campaign } = kept;
  const request = storedRequest(kept.request);
  const isKeyed = rulesOf(request).repeat === 'keyed';
  const hasBegun = decided?.state === 'begun';
  const isForgotten = (await context.clock())() - (decided?.at ?? 0) > keyLifetime;
  const isRepeatable = isKeyed && !isForgotten && !(await isLate(context, kept));
  if (hasBegun && !isRepeatable) throw mayBeSent(context, stored);
  const operation = operationOf(request);
  if (operation === undefined) throw new TypeError('The entry has an unknown request.');
  // One of several operations: TypeScript cannot narrow the union.
  const known = operation as unknown as Operation;
  let isMarked = hasBegun;
  const exchanged = await context.send(
    request,
    (reply, baseUrl) => idIn(reply, baseUrl) ?? campaign ?? undefined,
    {
      idempotencyKey: isKeyed ? (kept.request.idempotencyKey ?? digest) : undefined,
      keyIsNew: false,
      expect: digest,
      isApproved: true,
      contacts: kept.campaignDigest === null ? undefined : kept.recipients,
      hintIfUnknown: isKeyed
        ? `The request may have been accepted. To repeat it safely: ${nextCommand(context, 'outbox', 'send', id)}`
        : mayBeSent(context, stored).details.hint,
      onSend: () => {
        // On disk before the request leaves: whoever is killed then must not send it anew.
        if (!isMarked) outbox.mark(stored, 'begun');
        isMarked = true;
      },
    },
  );
  const { outcome } = exchanged;
  const isOpen = outcome === 'refused' || outcome === 'unsent';
  if (isMarked && !hasBegun && isOpen) outbox.mark(stored, 'approved');
  const created = acceptedValue(exchanged);
  const ids = created === undefined ? [] : [created];
  outbox.mark(stored, 'sent', ids);
  if (created !== undefined) {
    await rememberLastCreated(
      context,
      campaign === null && isKeyed ? 'email' : 'campaign',
      created,
    );
  }
  return showEntry(context, outbox.get(id).shown);

  function idIn(reply: WireReply, baseUrl: string): string | undefined {
    const value = readReply(reply, known, baseUrl);
    const { emailId, id: own, success }: Readonly<Record<string, unknown>> = Object(value);
    if (success === false) throw new BadReplyError('The service did not carry out the request.');
    const found = emailId ?? own;
    return typeof found === 'string' ? found : undefined;
  }
}

function mayBeSent(
  context: Context,
  { kept: { id, campaign, campaignDigest } }: StoredEntry,
): ConflictError {
  const look =
    campaign === null
      ? nextCommand(context, campaignDigest === null ? 'email' : 'campaign', 'list')
      : nextCommand(context, 'campaign', 'get', campaign);
  return new ConflictError(
    `Entry ${id} of the outbox may have been sent: no response to its request is known.`,
    {
      hint: `Nothing was sent now. Look whether the campaign was started. If it was not, prepare it again:\n${look}`,
    },
  );
}
