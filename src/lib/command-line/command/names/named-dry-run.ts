import { DryRun } from '../../../service/http/dry-run.ts';
import { withName } from '../../../service/http/with-name.ts';
import type { Context } from '../context.ts';

/** The next placeholder id, counting down from an id that no service uses. */
let placeholder = Number.MAX_SAFE_INTEGER;

/**
 * A dry run if only a name is known: shows the name in place of the id, and explains it in a note. The digest is of what is
 * shown: `Context.named` has it compared that way, too.
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
    const shown = withName(error.request, id, name);
    const isInBody = shown.body !== error.request.body;
    context.notes.say(
      `The ${kind} ${JSON.stringify(name)} would be looked up first; the ${isInBody ? 'body' : 'path'} then has its id.`,
    );
    const { policy, operation, items } = error.about;
    const { requestDigest } = await import('../../../service/http/request-digest.ts');
    // Of a file, more is not known than the first request.
    const digest = items === undefined ? requestDigest(shown) : undefined;
    throw new DryRun(shown, { policy, operation, items, digest });
  }
}
