import { operations } from '../../../api/operations.ts';
import type { Context } from '../../command-line/command/context.ts';
import { pathOf } from '../../service/http/build-request.ts';
import type { SendOptions } from '../../service/http/client.ts';
import type { Exchanged } from '../../service/http/outcome.ts';
import { readReply } from '../../service/http/reply.ts';
import type { ImportedContact } from './parts.ts';

const bulk = operations['contact.bulkCreate'];
const update = operations['contact.update'];

/** Sends contacts to a book, as a JSON array; the service queues them. */
export async function requestBulk(
  { send }: Pick<Context, 'send'>,
  contactBookId: string,
  json: string | Uint8Array,
  options: SendOptions,
): Promise<Exchanged<unknown>> {
  const path = pathOf(bulk, { params: { contactBookId } });
  return await send(
    { method: bulk.method, path, body: json },
    (reply, baseUrl) => readReply(reply, bulk, baseUrl),
    options,
  );
}

/** Changes one contact, which sends no email. The result is its id. */
export async function requestChange(
  { send }: Pick<Context, 'send'>,
  contactBookId: string,
  { id: contactId = '', email: _, ...body }: ImportedContact,
  options: SendOptions,
): Promise<Exchanged<string>> {
  const path = pathOf(update, { params: { contactBookId, contactId } });
  return await send(
    { method: update.method, path, body: JSON.stringify(body) },
    (reply, baseUrl) => readReply(reply, update, baseUrl).contactId,
    options,
  );
}
