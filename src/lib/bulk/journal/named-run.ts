import type { Context } from '../../command/context.ts';
import { last } from '../../command/names/last-made.ts';
import { nextCommand } from '../../command/next-command.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { readHeader } from './run-header.ts';
import { endOfName, partsOfName } from './run-name.ts';
import type { RunStore } from './run-store.ts';

/** A prefix of a run's name that is long enough for people, its account and its shard: `0bddde44-a2-3of8`. */
export function shortRunName(run: string): string {
  return run.slice(0, 8) + endOfName(run);
}

/** The command line that resumes a run. The journal has its profile and its base URL. */
export function resumeCommand(
  { flags, system }: Pick<Context, 'flags' | 'system'>,
  run: string,
  ...more: readonly string[]
): string {
  return aboutRuns({ flags, system }, 'resume', shortRunName(run), ...more);
}

/** A command line about runs: it needs neither the profile nor the base URL. */
export function aboutRuns(
  { flags: { sandbox = false }, system }: Pick<Context, 'flags' | 'system'>,
  ...words: readonly string[]
): string {
  return nextCommand({ flags: { sandbox }, system }, 'run', ...words);
}

const ofImports = 'Imports of contacts are no runs: to resume one, repeat its command.';

/**
 * The directory name of the run whose name is `named` or starts with it, with or without its shard; for
 * `@last`, of the newest run. Throws a `NotFoundError` if there is none, and a `UsageError` if there are several
 * or a prefix has fewer than `shortest` characters.
 */
export function runNamed(
  context: Pick<Context, 'flags' | 'system'>,
  store: RunStore,
  named: string,
  shortest = 1,
): string {
  if (named === '') throw new UsageError("The run's name is empty");
  const names = named === last ? newest(store) : namesMeant(store.names().toSorted(), named);
  const [name, ...others] = names;
  const hint = `To list all runs: ${aboutRuns(context, 'list')}`;
  if (name === undefined) {
    const none =
      named === last ? 'There are no runs.' : `There is no run ${JSON.stringify(named)}.`;
    throw new NotFoundError(none, { hint: `${hint}\n${ofImports}` });
  }
  const isShort = named !== last && partsOfName(named).run.length < shortest;
  if (others.length === 0 && !isShort) return name;
  const problem =
    others.length === 0
      ? `${named} has fewer than ${shortest} characters of a run's name. Nothing was deleted. It could be:`
      : `${names.length} runs have names that start with ${named}:`;
  throw new UsageError([problem, ...names.map((one) => `  ${one}`)].join('\n'), { hint });
}

/** The run that began last, if there is one; like `run list`, those that cannot be read come after it. */
function newest(store: RunStore): readonly string[] {
  const begunAt = (name: string) =>
    store.look(name, (journal) => readHeader(journal)?.begunAt) ?? 0;
  const runs = store.names().map((name) => ({ name, at: begunAt(name) }));
  const [first] = runs.sort((one, other) => other.at - one.at);
  return first === undefined ? [] : [first.name];
}

function namesMeant(names: readonly string[], named: string): readonly string[] {
  // The name of a whole run is a prefix of the names of its shards, and of its runs by other accounts.
  if (names.includes(named)) return [named];
  const { run, account, shard } = partsOfName(named);
  const meant = names.filter((name) => {
    const parts = partsOfName(name);
    return parts.run.startsWith(run) && (shard === undefined || parts.shard === shard);
  });
  const isOf = (name: string) => partsOfName(name).account === account;
  const runs = new Set(meant.filter(isOf).map((name) => partsOfName(name).run));
  // Without a number, the first account is meant, if it has such a run.
  return meant.filter((name) => isOf(name) || (account === 1 && !runs.has(partsOfName(name).run)));
}
