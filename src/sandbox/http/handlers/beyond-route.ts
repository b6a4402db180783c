import * as z from 'zod';
import type { Method, Operation } from '../../../api/operation.ts';
import { type Call, type Route, route } from '../call.ts';

/** What is to be known of an operation that only other clients call. */
interface Beyond<Input extends z.ZodObject> {
  readonly id: string;
  readonly method: Method;
  readonly path: Operation['path'];
  readonly input: Input;
}

const reply = z.unknown();

/** A route outside the contract: our client does not call it. */
export function beyondRoute<Input extends z.ZodObject>(
  operation: Beyond<Input>,
  handler: (call: Call<z.infer<Input>>) => unknown,
): Route {
  const effect = operation.method === 'GET' ? 'reads' : 'writes';
  return route({ ...operation, effect, repeat: 'unsent', reply }, handler);
}
