import { DryRun } from '../../http/dry-run.ts';
import type { Context } from '../context.ts';

/** Ids that no service uses, the next one lower. */
let placeholder = Number.MAX_SAFE_INTEGER;

/** A dry run where only a name is known, not the id: it is shown instead, and a note explains it. */
export async function dryRunByName<Value>(
  context: Pick<Context, 'notes'>,
  kind: string,
  name: string,
  use: (id: string) => Promise<Value>,
): Promise<Value> {
  const id = String(placeholder--);
  try {
    return await use(id);
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    const { url: asked, body } = error.request;
    const url = new URL(asked);
    url.pathname = url.pathname
      .split('/')
      .map((part) => (part === id ? encodeURIComponent(name) : part))
      .join('/');
    const isInBody = typeof body === 'string' && body.includes(`"${id}"`);
    context.notes.say(
      `The ${kind} ${JSON.stringify(name)} would be looked up first; the ${isInBody ? 'body' : 'path'} then has its id.`,
    );
    const shown = {
      ...error.request,
      url,
      ...(isInBody ? { body: body.replace(`"${id}"`, () => JSON.stringify(name)) } : {}),
    };
    // Nobody knows the digest of the request that is sent: that has the id.
    throw new DryRun(shown, { policy: error.about.policy });
  }
}
