import * as z from 'zod';
import type { Method, Operation } from '../../../api/operation.ts';
import type { Call, Route } from '../call.ts';

type Input<Shape extends z.core.$ZodShape> = z.infer<z.ZodObject<Shape, z.core.$strict>>;

const reply = z.unknown();

/** A route outside the contract, which our client does not call. `shape` is that of the input. */
export function beyondRoute<Shape extends z.core.$ZodShape>(
  [id, method, path]: readonly [id: string, method: Method, path: Operation['path']],
  shape: Shape,
  handler: (call: Call<Input<Shape>>) => unknown,
): Route {
  const effect = method === 'GET' ? 'reads' : 'writes';
  const input = z.strictObject(shape);
  return {
    operation: { id, method, path, input, effect, repeat: 'unsent', reply },
    // See `Route`.
    handle: (call) => handler(call as Call<Input<Shape>>),
  };
}
