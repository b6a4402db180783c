import type { Argument } from '@commander-js/extra-typings';
import type { Context } from '../lib/command-line/command/context.ts';
import { isChoosable } from '../lib/command-line/completion/offer.ts';
import { type Level, type Line, offerFor } from './command-line.ts';

/** The values of a command: its arguments in order, and its own flags. */
interface Values {
  readonly values: readonly unknown[];
  readonly options: Record<string, unknown>;
}

/** The missing arguments, if a person can be asked for all of them; otherwise none. */
export function argumentsToAsk({ level, values }: Line): readonly Argument[] {
  const all = level.declared.registeredArguments;
  const [first] = all;
  if (first === undefined || !isChoosable(offerFor(level.command, first))) return [];
  return all.slice(values).filter((argument) => argument.required);
}

/**
 * Asks for these arguments, with a list where there is one. To list contacts, it first asks for their book.
 */
export async function askForArguments(
  context: Context,
  level: Level,
  missing: readonly Argument[],
  given: Values,
): Promise<Values> {
  const { choose } = await import('../lib/command-line/command/ask/choose.ts');
  const { options } = given;
  const answers: string[] = [];
  let book = typeof options.book === 'string' ? options.book : '';
  for (const argument of missing) {
    const offer = offerFor(level.command, argument);
    if (offer === 'contacts' && book === '') book = await choose(context, 'books');
    answers.push(
      isChoosable(offer)
        ? await choose(context, offer, book)
        : await context.prompts.text(argument.description),
    );
  }
  const values = given.values.filter((value) => value !== undefined);
  return {
    values: [...values, ...answers],
    options: book === '' ? options : { ...options, book },
  };
}
