import type { WireReply } from '../../base/system/wire.ts';
import type { Context } from '../../command-line/command/context.ts';
import { idGiven, last, rememberLastCreated } from '../../command-line/command/names/last-made.ts';
import type { CreatedKind } from '../../command-line/command/names/last-store.ts';
import { isObject } from '../../command-line/output/fields.ts';
import type { AnyRequest } from '../../service/http/build-request.ts';
import { parseJson } from '../../service/http/reply.ts';

/** A request that creates something, and where its response has the id. */
interface Making {
  /** Captures the id of the contact book that it is created in, unless that is percent-encoded. */
  readonly path: RegExp;
  readonly made: CreatedKind;
  readonly idIn: (reply: Readonly<Record<string, unknown>>) => unknown;
}

const makings: readonly Making[] = [
  { path: /^\/v1\/emails$/, made: 'email', idIn: ({ emailId }) => emailId },
  { path: /^\/v1\/emails\/batch$/, made: 'email', idIn: ({ data }) => lastEmail(data) },
  { path: /^\/v1\/campaigns$/, made: 'campaign', idIn: ({ id }) => id },
  { path: /^\/v1\/templates$/, made: 'template', idIn: ({ id }) => id },
  { path: /^\/v1\/segments$/, made: 'segment', idIn: ({ id }) => id },
  { path: /^\/v1\/contactBooks$/, made: 'contact book', idIn: ({ id }) => id },
  {
    path: /^\/v1\/contactBooks\/(?:([^/%]+)|[^/]+)\/contacts$/,
    made: 'contact',
    idIn: ({ contactId }) => contactId,
  },
];

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
  { method, path }: AnyRequest,
  answer: WireReply,
): Promise<void> {
  if (method !== 'POST') return;
  const pathname = path.replace(/\/?(\?.*)?$/s, '');
  const making = makings.find((one) => one.path.test(pathname));
  if (making === undefined) return;
  const reply = parseJson(answer.body);
  const id = isObject(reply) ? making.idIn(reply) : undefined;
  const book = making.path.exec(pathname)?.[1];
  if (typeof id === 'string') await rememberLastCreated(context, making.made, id, book);
}

function lastEmail(list: unknown): unknown {
  const email: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  return isObject(email) ? email.emailId : undefined;
}
