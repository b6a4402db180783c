import { methods } from '../api/operation.ts';
import type { System } from '../lib/base/system/system.ts';
import { write } from '../lib/base/terminal/write.ts';
import { visible } from '../lib/base/text/visible.ts';
import {
  type AccountWords,
  type Candidate,
  type ContractSource,
  isOwn,
  type Offer,
} from '../lib/command-line/completion/offer.ts';
import { shells } from '../lib/command-line/completion/shell.ts';
import { findCandidates } from '../lib/command-line/completion/sources.ts';
import type { Typed } from '../lib/command-line/completion/typed.ts';
import {
  argumentAt,
  commandsAt,
  type FlagOrArgument,
  flagsAt,
  flagsIn,
  type Line,
  offerFor,
  readLine,
} from './command-line.ts';

/** What can be at the cursor: these candidates, each after `prefix`, or a file name. */
type Found = { readonly candidates: readonly Candidate[]; readonly prefix: string } | 'files';

const helpFlags: Candidate = {
  value: 'flags',
  description: 'flags that commands share, or all of one',
};

const nothing: Found = { candidates: [], prefix: '' };

/**
 * Responds to a completion script; `argv` are the words after `__complete`. Errors are silent. Returns 0
 * after the candidates, if any, and 1 to make the shell complete a file name.
 */
export async function complete(argv: readonly string[], system: System): Promise<number> {
  const [name = '', ...args] = argv;
  try {
    const typed = shells.get(name)?.read(args);
    if (typed === undefined) return 0;
    const found = await atCursor(typed, system);
    if (found === 'files') return 1;
    const lines = await typed.answer(presentable(found, typed.current), found.prefix);
    await write(system.stdout, lines.map((line) => `${line}\n`).join(''), system.signal);
  } catch {
    // TAB is only a suggestion, so its errors are not shown.
  }
  return 0;
}

/** Each value once, if it is visible in full; second names only if their beginning is typed. */
function presentable(
  { candidates, prefix }: Exclude<Found, 'files'>,
  current: string,
): readonly Candidate[] {
  const typed = current.slice(prefix.length);
  const byValue = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { second } = candidate;
    const value = withTypedName(candidate.value, typed);
    const isMeant = second !== true || (typed !== '' && value.startsWith(typed));
    if (value === '' || visible(value) !== value || !isMeant) continue;
    byValue.set(value, { ...candidate, value, description: visible(candidate.description) });
  }
  return [...byValue.values()];
}

/** Adds a typed local part to a domain: `hello@ex` is completed by `@example.com`. */
function withTypedName(value: string, typed: string): string {
  const at = typed.indexOf('@');
  return value.startsWith('@') && at > 0 ? `${typed.slice(0, at)}${value}` : value;
}

async function atCursor({ words, current }: Typed, system: System): Promise<Found> {
  const line = await readLine(words);
  const { level, given, pending, flagsEnded, asksForHelp } = line;
  const account: AccountWords = {
    profile: given.get('--profile') ?? '',
    baseUrl: given.get('--base-url') ?? '',
    sandbox: given.has('--sandbox'),
    allowHttp: given.has('--allow-http'),
    book: given.get('--book') ?? '',
  };
  const valuesOf = async (taker: FlagOrArgument, prefix = ''): Promise<Found> => {
    const offer = offerFor(level.command, taker);
    if (offer === 'endpoints') {
      return { candidates: await endpointCandidates(line, current), prefix };
    }
    if (offer !== 'fields') return await foundFor(offer, prefix, account, system);
    const before = current.slice(prefix.length, current.lastIndexOf(',') + 1);
    const candidates = await fieldCandidates(line, before.split(','));
    return { candidates, prefix: `${prefix}${before}` };
  };

  if (line.isMisspelt) return nothing;
  if (pending !== undefined) return await valuesOf(pending);
  if (!flagsEnded && current.startsWith('-')) {
    const { option, value } = flagsIn(current, level).at(-1) ?? {};
    return option === undefined || value === undefined
      ? { candidates: flagsAt(line), prefix: '' }
      : await valuesOf(option, current.slice(0, current.length - value.length));
  }
  if (level.command === undefined) {
    const topics = asksForHelp && words.length === 1 ? [helpFlags] : [];
    return { candidates: [...commandsAt(line), ...topics], prefix: '' };
  }
  const argument = asksForHelp ? undefined : argumentAt(line);
  return argument === undefined ? nothing : await valuesOf(argument);
}

async function foundFor(
  offer: Exclude<Offer, ContractSource> | undefined,
  prefix: string,
  flags: AccountWords,
  system: System,
): Promise<Found> {
  if (offer === 'files') return 'files';
  if (offer === undefined) return nothing;
  if (typeof offer === 'string' || isOwn(offer)) {
    const found = await (isOwn(offer)
      ? offer.find(flags, system)
      : findCandidates(offer, flags, system));
    // A value that begins with a hyphen would be read as a flag.
    return { prefix, candidates: found.filter(({ value }) => !value.startsWith('-')) };
  }
  return { prefix, candidates: offer.map((value) => ({ value, description: '' })) };
}

/** The fields of the command's result that the contract knows, without those in `except`. */
async function fieldCandidates(
  { level, given }: Line,
  except: readonly string[],
): Promise<readonly Candidate[]> {
  if (level.command === undefined) return [];
  const { printedFields } = await import('./printed-fields.ts');
  const flags = [...given.keys()].map((flag) => [flag.replace(/^--/, ''), true]);
  const known = await printedFields(level.command, Object.fromEntries(flags));
  const names = known?.names ?? [];
  return names
    .filter((name) => !except.includes(name))
    .map((value) => ({ value, description: '' }));
}

/** Methods, and the paths for the method on the line, or else for GET, with `{id}` for each id. */
async function endpointCandidates({ words }: Line, current: string): Promise<readonly Candidate[]> {
  const method = words.find(({ kind }) => kind === 'argument')?.text.toUpperCase();
  if (method === undefined && !current.startsWith('/')) {
    return methods.map((value) => ({ value, description: '' }));
  }
  const { operations } = await import('../api/operations.ts');
  return Object.values(operations)
    .filter((operation) => operation.method === (method ?? 'GET'))
    .map(({ path, id }) => ({ value: path, description: id.replace('.', ' ') }));
}
