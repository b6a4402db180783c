import { UsageError } from '../../../base/errors.ts';
import { explainStateError } from '../../../base/files/state-errors.ts';
import { quantity } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { done, type Result } from '../../../command-line/output/result.ts';
import { howFar } from '../journal/counts.ts';
import { aboutRuns, runNamed, shortRunName } from '../journal/named-run.ts';
import { readHeader } from '../journal/run-header.ts';
import { type RunStore, runsOf } from '../journal/run-store.ts';
import { readJournal } from './read-runs.ts';
import type { ShownRun } from './run-shapes.ts';

/** The shortest name that is accepted, in characters: a deleted journal cannot be restored. */
const shortestPrefix = 8;

/**
 * Deletes the named run, after a question. Throws like `runNamed` and `refuseNewer`, a `UsageError` while another process
 * holds the run, and one with `--yes` for a retry that keeps its rows from being sent again, unless it is to
 * be `forgotten`.
 */
export async function deleteRun(
  context: Context,
  named: string,
  forgotten: boolean,
): Promise<Result> {
  const store = runsOf(context);
  try {
    const name = await runNamed(context, store, named, shortestPrefix);
    const taken = store.take(name);
    try {
      store.refuseNewer(name);
      const run = readJournal(store, name);
      if (!forgotten && context.flags.yes === true) refuseProtecting(context, store, run);
      await context.prompts.confirm(
        `${stateInWords(run, context)} Delete it?`,
        'Nothing was deleted',
      );
      taken.remove();
      return done({ reply: run, ids: [name], message: `Deleted run ${name}.` });
    } catch (error) {
      taken.release();
      throw error;
    }
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** Throws a `UsageError` if a run that may be retried again would then send what this retry has sent. */
function refuseProtecting(context: Context, store: RunStore, run: ShownRun): void {
  const { accepted = 1, unanswered = 0, unknown = 0 } = run;
  const first = store.label(run.run)?.retryOf;
  if (first === undefined || accepted + unanswered + unknown === 0) return;
  const numberOf = (name: string) => store.look(name, readHeader)?.retry?.number;
  const number = numberOf(run.run) ?? Number.POSITIVE_INFINITY;
  const isEarlier = (name: string) =>
    name === first || (store.label(name)?.retryOf === first && (numberOf(name) ?? 0) < number);
  const earlier = store.names().find(isEarlier);
  if (earlier === undefined) return;
  throw new UsageError(
    `Run ${shortRunName(run.run)} is a retry. Without its journal, another retry of ${shortRunName(first)} could send its emails again.`,
    {
      hint: `Nothing was deleted. To delete the earlier run first: ${aboutRuns(context, 'delete', shortRunName(earlier))}\nTo delete this one all the same, add --forget-retry.`,
    },
  );
}

function stateInWords(shown: ShownRun, { flags }: Pick<Context, 'flags'>): string {
  const { run, state, file, shard, emails = 0, unknown = 0, left = 0, baseUrl } = shown;
  const { accepted = 0, unanswered = 0, redirectedTo, retryOf } = shown;
  const begins = 'without its journal, the same command starts over and sends every email.';
  if (state === 'unreadable') {
    return `The journal of run ${run} cannot be read, so it is unknown what was sent; ${begins}`;
  }
  const input = file === '-' ? 'standard input' : file;
  const part = shard === undefined ? '' : `, shard ${shard}`;
  const service = flags.sandbox === true || baseUrl === undefined ? 'the sandbox' : baseUrl;
  const which = `The run of ${input}${part}, at ${service}:`;
  const far = { emails, redirect: redirectedTo };
  const open = [
    ...(left > 0 ? [howFar({ accepted, begun: unanswered }, far)] : []),
    ...(unknown > 0 ? [`the outcome of ${quantity(unknown, 'email')} is unknown`] : []),
  ];
  if (open.length > 0) return `${which} ${open.join(', ')}; ${begins}`;
  const again =
    retryOf === undefined
      ? 'the same command sends every email again'
      : `a retry of ${shortRunName(retryOf)} may send them again`;
  return `${which} complete, ${quantity(emails, 'email')}; without its journal, ${again}.`;
}
