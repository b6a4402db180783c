import { MailerError } from '../errors.ts';
import type { Context } from './context.ts';

/** Milliseconds for a request that only explains or warns, its repetitions included. */
const patience = 3000;

/** The response to such a request, which nothing depends on; undefined if it fails. */
export async function bestEffort<Value>(
  { system }: Pick<Context, 'system'>,
  ask: (within: { readonly deadline: number }) => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await ask({ deadline: system.monotonic() + patience });
  } catch (error) {
    if (error instanceof MailerError) return undefined;
    throw error;
  }
}
