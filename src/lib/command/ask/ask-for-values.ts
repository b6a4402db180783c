import { UsageError } from '../../errors.ts';
import type { Prompts, TextQuestion } from '../../terminal/prompts.ts';
import type { Context } from '../context.ts';

/** A value that a command cannot do without. */
interface RequiredValue extends TextQuestion {
  readonly flag: `--${string}`;
  readonly question: string;
  /** The value as far as it is known; empty counts as missing. */
  readonly value: string | undefined;
  /** Asks in another way than for a line, such as with a list. */
  readonly ask?: (() => Promise<string>) | undefined;
}

/** The needed values, given or asked for. Without questions, a usage error names all missing flags. */
export async function askForValues(
  needs: readonly RequiredValue[],
  prompts: Prompts,
  hint?: string,
): Promise<string[]> {
  const missing = needs.filter(({ value }) => (value ?? '') === '');
  if (missing.length > 0 && !prompts.possible) {
    throw new UsageError(`Missing ${missing.map(({ flag }) => flag).join(', ')}`, { hint });
  }
  const values: string[] = [];
  for (const need of needs) {
    values.push(need.value || (await (need.ask?.() ?? prompts.text(need.question, need))));
  }
  return values;
}

/**
 * Before the questions of what is to be sent: throws when there is no base URL or no key. Returns the
 * question for the sender, where that is one of them.
 */
export async function askedSender(
  context: Context,
  asksSender: boolean,
): Promise<(() => Promise<string>) | undefined> {
  const account = await context.account();
  account.service();
  await account.key();
  if (!asksSender) return undefined;
  return await (await import('./ask-sender.ts')).senderQuestion(context);
}
