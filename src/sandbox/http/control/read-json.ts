import type { Context } from 'hono';
import type * as z from 'zod';
import { ApiError } from '../../store/errors.ts';

/**
 * The body of a request, parsed with `schema`. Throws `ApiError` BAD_REQUEST, which says what was expected
 * (`expected`, a sentence). The body must be declared as JSON, which a form on a web page cannot do.
 */
export async function readJsonBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
  expected: string,
): Promise<z.infer<Schema>> {
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('Content-Type') ?? '')) {
    throw new ApiError('BAD_REQUEST', `Content-Type is not application/json. ${expected}`);
  }
  const body = await context.req.json<unknown>().catch(() => {
    throw new ApiError('BAD_REQUEST', `The body is not JSON. ${expected}`);
  });
  const result = schema.safeParse(body);
  if (!result.success) throw new ApiError('BAD_REQUEST', expected);
  return result.data;
}
