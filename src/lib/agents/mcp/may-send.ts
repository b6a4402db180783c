import type { LocalContext } from '../../command-line/command/context.ts';
import { flagsOfAccount } from './account-flags.ts';
import { runInside } from './run-inside.ts';

/** Whether a policy says now who may be mailed. Without one, a model could mail anybody whom a person once approved. */
export async function maySend(context: LocalContext, signal: AbortSignal): Promise<boolean> {
  const words = ['policy', 'show'];
  const [model] = await context.models(words);
  const flags = model === undefined ? [] : flagsOfAccount(context.flags, model);
  const { exitCode, stdout } = await runInside(context, [...words, ...flags, '--json'], signal);
  if (exitCode !== 0) return false;
  const shown: { readonly rules: readonly { readonly rule: string }[] } = JSON.parse(stdout);
  return shown.rules.some(({ rule }) => rule === 'allow-to');
}
