import type { Context } from '../../command/context.ts';
import { nextCommand } from '../../command/next-command.ts';
import { UsageError } from '../../errors.ts';
import { done, type Result } from '../../output/result.ts';
import { grouped, quantity } from '../../text/quantity.ts';
import type { RunStore } from '../journal/run-store.ts';
import { runsOf } from '../journal/run-store.ts';
import { explainStateError } from '../journal/state-error.ts';
import { enough, namesMeant, readRun, type ShownRun } from './shown-run.ts';

/**
 * Deletes a run, by its name or a beginning of it that no other has, after a question. Throws a
 * `UsageError` when there is no such run, and while another process has it.
 */
export async function forgetRun(context: Context, named: string): Promise<Result> {
  if (context.flags.dryRun === true) throw new UsageError('--forget goes without --dry-run');
  const store = runsOf(context);
  try {
    const name = findName(context, store, named);
    const taken = store.take(name);
    try {
      const run = readRun(store, name);
      await context.prompts.confirm(question(run), 'Nothing was removed');
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

function findName(context: Context, store: RunStore, named: string): string {
  const names = store.names().toSorted();
  const meant = namesMeant(names, named);
  const [name, ...others] = meant;
  if (named.length < enough) {
    throw new UsageError(`--forget: ${JSON.stringify(named)} is shorter than ${enough} characters`);
  }
  const hint = `To see the runs there are: ${nextCommand(context, 'email', 'batch', '--status')}`;
  if (name === undefined) {
    throw new UsageError(`There is no run ${JSON.stringify(named)}`, { hint });
  }
  if (others.length > 0) {
    throw new UsageError([`Several runs begin with ${named}:`, ...meant].join('\n'), { hint });
  }
  return name;
}

function question(run: ShownRun): string {
  return `${stateInWords(run)} Delete it?`;
}

function stateInWords({ run, state, file, shard, emails = 0, unknown = 0, left = 0 }: ShownRun) {
  const begins = 'after this the same command begins from the start and sends to everybody.';
  if (state === 'unreadable') {
    return `The journal of run ${run} cannot be read, so nobody knows what was sent; ${begins}`;
  }
  const input = file === '-' ? 'standard input' : file;
  const which = `The run of ${input}${shard === undefined ? '' : `, share ${shard}`}:`;
  const open = [
    ...(left > 0 ? [`${grouped(left)} of ${quantity(emails, 'email')} are not sent`] : []),
    ...(unknown > 0 ? [`of ${quantity(unknown, 'email')} nobody knows whether they went out`] : []),
  ];
  if (open.length > 0) return `${which} ${open.join(', ')}; ${begins}`;
  return `${which} complete, ${quantity(emails, 'email')}; after this the same command sends to everybody again.`;
}
