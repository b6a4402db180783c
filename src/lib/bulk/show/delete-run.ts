import type { Context } from '../../command/context.ts';
import { explainStateError } from '../../files/state-errors.ts';
import { done, type Result } from '../../output/result.ts';
import { quantity } from '../../text/quantity.ts';
import { howFar } from '../journal/counts.ts';
import { runNamed, shortRunName } from '../journal/named-run.ts';
import { runsOf } from '../journal/run-store.ts';
import { readJournal, type ShownRun } from './shown-run.ts';

/** The shortest name that is accepted, in characters: a deleted journal cannot be restored. */
const shortestPrefix = 8;

/**
 * Deletes the named run, after a question. Throws like `runNamed`, and a `UsageError` while another process
 * holds the run.
 */
export async function deleteRun(context: Context, named: string): Promise<Result> {
  const store = runsOf(context);
  try {
    const name = runNamed(context, store, named, shortestPrefix);
    const taken = store.take(name);
    try {
      const run = readJournal(store, name);
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
