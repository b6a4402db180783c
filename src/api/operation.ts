import type * as z from 'zod';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof methods)[number];

/**
 * When a request may be retried:
 *
 * - `harmless`: processing it twice has the same effect as processing it once.
 * - `keyed`: it carries an `Idempotency-Key`, so the service recognises the second one.
 * - `unsent`: only if it is certain that the first one was not processed (refused connection, 429).
 *   A campaign create whose outcome is unknown is not retried.
 */
export type Repeat = 'harmless' | 'keyed' | 'unsent';

/**
 * What an operation does at the service, by which a policy allows it. `mails` if it may make the service mail somebody;
 * `changes` and `deletes` are those that mail nobody. Commands that do more than read have `--dry-run`.
 */
export type OperationEffect = 'reads' | 'mails' | 'changes' | 'deletes';

/**
 * One operation of the service, as data. It defines the client's requests, the sandbox's routes and the
 * reference documentation.
 *
 * The `path` is relative to the base URL; `{name}` in it stands for the path parameter `name`. `input` has
 * those of `params`, `query` and `body` that the operation uses, and is strict: an unknown field is an error.
 * `reply` is lenient: unknown fields are kept, and of the known fields only a few, such as ids, are required.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: Method;
  readonly path: `/v1/${string}`;
  readonly effect: OperationEffect;
  readonly repeat: Repeat;
  /** Set if live servers have it but the specification does not. Some servers may lack it, or fail. */
  readonly beyond?: true | undefined;
  readonly input: Input;
  readonly reply: Reply;
}

interface Declared<Route, Input extends z.ZodObject, Reply extends z.ZodType>
  extends Pick<Operation<Input, Reply>, 'beyond' | 'input' | 'reply'> {
  /** Its method and path, as documentation writes them. */
  readonly route: Route;
  /** By default, that of a GET. */
  readonly effect?: OperationEffect;
}

/**
 * Declares an operation, keeping the exact types of its schemas. A GET is harmless; any other one must say what it does,
 * and when it may be retried.
 */
export function operation<
  const Id extends string,
  Route extends `${Method} /v1/${string}`,
  Input extends z.ZodObject,
  Reply extends z.ZodType,
>(
  id: Id,
  {
    route,
    ...declared
  }: Declared<Route, Input, Reply> &
    (Route extends `GET ${string}` ? object : Pick<Operation, 'effect' | 'repeat'>),
): Operation<Input, Reply> & { readonly id: Id } {
  // A route has these two parts.
  const [method, path] = route.split(' ') as [Method, Operation['path']];
  return { effect: 'reads', repeat: 'harmless', ...declared, id, method, path };
}
