import { DryRun, joinDryRuns } from '../../../service/http/dry-run.ts';
import { withName } from '../../../service/http/with-name.ts';
import type { Context } from '../context.ts';
import type { PlannedCall } from '../plan-of.ts';

/** The next placeholder id, counting down from an id that no service uses. */
let placeholder = Number.MAX_SAFE_INTEGER;

/** A call of a plan about something of which only a name is known. */
export function plannedByName(
  kind: string,
  name: string,
  call: (id: string) => PlannedCall,
): PlannedCall {
  const silent = { notes: { say: () => {} } };
  return (client) => dryRunByName(silent, kind, name, (id) => call(id)(client));
}

/** The same as `use`, whose dry run shows a request that has more than is known yet: it has no digest. */
export async function withoutDigest<Value>(use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    throw new DryRun(error.request, { ...error.about, digest: undefined });
  }
}

/**
 * A dry run if only a name is known: shows the name in place of the id, and explains it in a note. The digest is of what is
 * shown: `Context.named` has it compared that way, too.
 */
export async function dryRunByName<Value>(
  context: { readonly notes: Pick<Context['notes'], 'say'> },
  kind: string,
  name: string,
  use: (id: string) => Promise<Value>,
): Promise<Value> {
  const id = String(placeholder--);
  try {
    return await use(id);
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    const { others = [], items, effect, isPart } = error.about;
    const { requestDigest } = await import('../../../service/http/request-digest.ts');
    // Of a file, more is not known than the first requests.
    // No URL shows a name that stands for a directory.
    const isWhole = items === undefined && isPart !== true && !/^\.\.?$/.test(name);
    const all = [error, ...others].map(({ request, about: { policy, operation } }) => {
      const shown = withName(request, id, name);
      return new DryRun(shown, {
        ...{ policy, operation, items, effect },
        digest: isWhole ? requestDigest(shown) : undefined,
      });
    });
    const [first] = all;
    const isInBody = first?.request.body !== error.request.body;
    context.notes.say(
      `The ${kind} ${JSON.stringify(name)} would be looked up first; the ${isInBody ? 'body' : 'path'} then has its id.`,
    );
    const joined = others.length === 0 ? first : await joinDryRuns(all);
    throw joined && new DryRun(joined.request, { ...joined.about, effect });
  }
}
