import { UsageError } from '../../../base/errors.ts';
import type { Prompts, TextQuestion } from '../../../base/terminal/prompts.ts';
import type { Context } from '../context.ts';

/** A value that a command needs. */
interface RequiredValue extends TextQuestion {
  readonly flag: `--${string}`;
  readonly question: string;
  /** The value if it is known. An empty one counts as missing. */
  readonly value: string | undefined;
  /** Asks in another way than for a line, such as with a list. */
  readonly ask?: (() => Promise<string>) | undefined;
}

/**
 * The values, given or asked for. If no questions may be asked, a `UsageError` names all missing
 * flags.
 */
export async function askForValues(
  needs: readonly RequiredValue[],
  prompts: Prompts,
  ...hints: readonly (string | undefined)[]
): Promise<string[]> {
  const missing = needs.filter(({ value }) => (value ?? '') === '');
  if (missing.length > 0 && !prompts.possible) {
    throw new UsageError(`Missing ${missing.map(({ flag }) => flag).join(', ')}`, {
      hint: hints.filter(Boolean).join(' ') || undefined,
    });
  }
  const values: string[] = [];
  for (const need of needs) {
    values.push(need.value || (await (need.ask?.() ?? prompts.text(need.question, need))));
  }
  return values;
}

/**
 * To be called before questions about content: throws if there is no base URL or key. Returns the
 * question for the sender, if that is asked for.
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
