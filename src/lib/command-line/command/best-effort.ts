import { MailerError, when } from '../../base/errors.ts';
import type { Context } from './context.ts';

/** Milliseconds for a request that only explains or warns, its repetitions included. */
const patience = 3000;

/** The response to such a request, which nothing depends on; undefined if it fails. */
export async function bestEffort<Value>(
  { system }: Pick<Context, 'system'>,
  ask: (within: { readonly deadline: number }) => Promise<Value>,
): Promise<Value | undefined> {
  const asked = ask({ deadline: system.monotonic() + patience });
  return await asked.catch(when(MailerError, () => undefined));
}
