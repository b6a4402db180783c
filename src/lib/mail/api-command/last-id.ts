import type { OperationId } from '../../../api/operations.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { Context } from '../../command-line/command/context.ts';
import { idGiven, last, rememberLastCreated } from '../../command-line/command/names/last-made.ts';
import type { CreatedKind } from '../../command-line/command/names/last-store.ts';
import { isObject } from '../../command-line/output/fields.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { parseJson } from '../../service/http/reply.ts';
import { operationOf } from '../../service/http/request-rules.ts';

/** What each operation creates, and where its response has the id. */
const makings: Readonly<
  Partial<Record<OperationId, readonly [CreatedKind, (reply: Reply) => unknown]>>
> = {
  'email.send': ['email', ({ emailId }) => emailId],
  'email.batch': ['email', ({ data }) => lastEmail(data)],
  'campaign.create': ['campaign', ({ id }) => id],
  'template.create': ['template', ({ id }) => id],
  'segment.create': ['segment', ({ id }) => id],
  'contactBook.create': ['contact book', ({ id }) => id],
  'contact.create': ['contact', ({ contactId }) => contactId],
};

type Reply = Readonly<Record<string, unknown>>;

/** Paths up to an id. */
const places: readonly (readonly [RegExp, CreatedKind])[] = [
  [/^\/v1\/emails\//, 'email'],
  [/^\/v1\/campaigns\//, 'campaign'],
  [/^\/v1\/templates\//, 'template'],
  [/^\/v1\/segments\//, 'segment'],
  [/^\/v1\/contactBooks\//, 'contact book'],
  [/^\/v1\/contactBooks\/[^/?]+\/contacts\//, 'contact'],
];

/** The path with `@last` replaced by the id, percent-encoded. Throws like `idGiven`. */
export async function withLastId(context: Context, given: string): Promise<string> {
  let path = given;
  for (const [place, made] of places) {
    const start = place.exec(path)?.[0];
    if (start === undefined) continue;
    const [part = ''] = path.slice(start.length).split(/[/?]/, 1);
    if (part !== last) continue;
    const id = encodeURIComponent(await idGiven(context, made, last));
    path = `${start}${id}${path.slice(start.length + last.length)}`;
  }
  return path;
}

/** Stores the id of what an accepted request created, if `@last` can stand for it. */
export async function rememberAnswer(
  context: Context,
  request: AnyRequest,
  answer: WireReply,
): Promise<void> {
  const operation = operationOf(request);
  const [made, idIn] = (operation && makings[operation.id]) ?? [];
  if (made === undefined) return;
  const reply = parseJson(answer.body);
  const id = isObject(reply) ? idIn?.(reply) : undefined;
  // Of a contact; not if it is percent-encoded.
  const [, book] = /^\/v1\/contactBooks\/([^/%]+)\//.exec(request.path) ?? [];
  if (typeof id === 'string') await rememberLastCreated(context, made, id, book);
}

function lastEmail(list: unknown): unknown {
  const email: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  return isObject(email) ? email.emailId : undefined;
}
