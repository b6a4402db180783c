import { NotFoundError, UsageError } from '../../../base/errors.ts';
import { quantity } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { last } from '../../../command-line/command/names/last-made.ts';
import { localCommand } from '../../../command-line/command/next-command.ts';
import { ofChosenAccount } from './chosen-account.ts';
import { readHeader } from './run-header.ts';
import { partsOfName } from './run-name.ts';
import type { RunStore } from './run-store.ts';

/** A prefix of a run's name that is long enough for people, its account and its shard: `0bddde44-a2-3of8`. */
export function shortRunName(run: string): string {
  return run.slice(0, 8) + run.slice(partsOfName(run).run.length);
}

/** The command line that resumes a run. The journal has its profile and its base URL. */
export function resumeCommand(
  { flags, system }: Pick<Context, 'flags' | 'system'>,
  run: string,
  ...more: readonly string[]
): string {
  return aboutRuns({ flags, system }, 'resume', shortRunName(run), ...more);
}

/** A command line about runs. */
export function aboutRuns(
  context: Pick<Context, 'flags' | 'system'>,
  ...words: readonly string[]
): string {
  return localCommand(context, 'run', ...words);
}

const ofImports = 'Imports of contacts are no runs: to resume one, repeat its command.';

/** What finds a run by its name. */
export type RunPlace = Pick<Context, 'account' | 'flags' | 'system'>;

/**
 * The directory name of the run whose name is `named` or starts with it, with or without its shard; for
 * `@last`, of the newest run of the account in use. Throws a `NotFoundError` if there is none, and a `UsageError` if
 * there are several or a prefix has fewer than `shortest` characters.
 */
export async function runNamed(
  context: RunPlace,
  store: RunStore,
  named: string,
  shortest = 1,
): Promise<string> {
  if (named === '') throw new UsageError("The run's name is empty");
  const hint = `To list all runs: ${aboutRuns(context, 'list', '--all')}`;
  const none = (message: string) => new NotFoundError(message, { hint: `${hint}\n${ofImports}` });
  if (named === last) {
    const all = store.names();
    const newest = newestOf(store, all.filter(await ofChosenAccount(context, store)));
    if (newest !== undefined) return newest;
    if (all.length === 0) throw none('There are no runs.');
    throw none(`There are no runs of this account, but ${quantity(all.length, 'run')} of others.`);
  }
  const names = namesMeant(store.names().toSorted(), named);
  const [name, ...others] = names;
  if (name === undefined) throw none(`There is no run ${JSON.stringify(named)}.`);
  const isShort = partsOfName(named).run.length < shortest;
  if (others.length === 0 && !isShort) return name;
  const problem =
    others.length === 0
      ? `${named} has fewer than ${shortest} characters of a run's name. Nothing was deleted. It could be:`
      : `${names.length} runs have names that start with ${named}:`;
  throw new UsageError([problem, ...names.map((one) => `  ${one}`)].join('\n'), { hint });
}

/** The run that began last, if there is one; like `run list`, those that cannot be read come after it. */
function newestOf(store: RunStore, names: readonly string[]): string | undefined {
  const begunAt = (name: string) =>
    store.look(name, (journal) => readHeader(journal)?.begunAt) ?? 0;
  const runs = names.map((name) => ({ name, at: begunAt(name) }));
  return runs.sort((one, other) => other.at - one.at)[0]?.name;
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
