import type { PlannedCall } from '../../command-line/command/plan-of.ts';
import { waive } from '../../mail/message/gate.ts';
import { contactsOf } from './parts.ts';
import { requestBulk, requestChange } from './request.ts';
import type { PreparedImport } from './sending.ts';

interface PlannedImport extends Pick<PreparedImport, 'flags' | 'parts' | 'plan'> {
  readonly bookId: string;
}

/**
 * The requests of an import, in order, if the service accepts all of them. Contacts that an earlier import sent, and that
 * may have to be sent again, are among them.
 */
export function* plannedCalls({
  flags,
  parts,
  plan,
  bookId,
}: PlannedImport): Generator<PlannedCall> {
  const { book, otherProperties } = plan;
  if (flags.addVariables === true && otherProperties.length > 0) {
    const body = { variables: [...(book?.variables ?? []), ...otherProperties] };
    const input = { params: { contactBookId: bookId }, body };
    yield (client) => client.callPassed(waive('dry run'), 'contactBook.update', input);
  }
  const again = flags.resendUnknown === true ? (['begun', 'unknown', 'queued'] as const) : [];
  for (const id of parts.idsOf('ready', ...again)) {
    const part = parts.find(id);
    if (part === undefined) continue;
    if (!part.alone) yield (client) => requestBulk(client, bookId, part.json, {});
    else {
      for (const { contact } of contactsOf(part)) {
        yield (client) => requestChange(client, bookId, contact, {});
      }
    }
  }
}
