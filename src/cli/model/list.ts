import { manifest } from '../../commands/manifest.ts';
import { UsageError } from '../../lib/base/errors.ts';
import type { CommandModel } from '../../lib/command-line/command/command-model.ts';
import { modelOf } from './model.ts';

/**
 * The models of the commands whose words begin with these, in the order of help; all without words. Throws a
 * `UsageError` if there are none.
 */
export async function modelsOf(words: readonly string[]): Promise<readonly CommandModel[]> {
  const found = manifest.filter((entry) => words.every((word, at) => entry.words[at] === word));
  if (found.length > 0) return await Promise.all(found.map(modelOf));
  throw new UsageError(`There is no command ${words.join(' ')}`, { hint: 'See mailer commands' });
}
