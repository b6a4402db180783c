import { DryRun } from '../../../service/http/dry-run.ts';
import type { Context } from '../context.ts';

/** The next placeholder id, counting down from an id that no service uses. */
let placeholder = Number.MAX_SAFE_INTEGER;

/**
 * A dry run if only a name is known: shows the name in place of the id, and explains it in a note.
 */
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
    // Without a digest, which is unknown: the request that is sent has the id.
    const { policy, operation, items } = error.about;
    throw new DryRun(shown, { policy, operation, items });
  }
}
