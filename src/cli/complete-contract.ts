import { methods } from '../api/operation.ts';
import type { Candidate } from '../lib/command-line/completion/offer.ts';
import type { Line } from './command-line.ts';

/** The fields of the command's result that the contract knows, without those in `except`. */
export async function fieldCandidates(
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
export async function endpointCandidates(
  { words }: Line,
  current: string,
): Promise<readonly Candidate[]> {
  const method = words.find(({ kind }) => kind === 'argument')?.text.toUpperCase();
  if (method === undefined && !current.startsWith('/')) {
    return methods.map((value) => ({ value, description: '' }));
  }
  const { operations } = await import('../api/operations.ts');
  return Object.values(operations)
    .filter((operation) => operation.method === (method ?? 'GET'))
    .map(({ path, id }) => ({ value: path, description: id.replace('.', ' ') }));
}
