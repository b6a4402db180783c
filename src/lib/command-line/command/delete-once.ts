import { NotFoundError } from '../../base/errors.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { done, type Result } from '../output/result.ts';
import { bestEffort } from './best-effort.ts';
import type { Context } from './context.ts';
import { refuseDeletes, rulesForDeletes } from './refuse-deletes.ts';

type Deletion<Reply> = (options: CallOptions) => Promise<Reply>;

const undone = 'Nothing was deleted';

/**
 * Whether a person is to be asked before something is deleted: without `--yes`, or because of the policy. Throws if the
 * policy lets nobody delete, before anything is looked up: what it refuses, `--yes` does not confirm. Throws if a question
 * is needed and cannot be asked; then `find` tells, if it can, what `question` is about.
 */
export async function refuseUnasked<Found>(
  context: Context,
  question: (found?: Found) => string,
  find: (context: Context) => Promise<Found>,
): Promise<boolean> {
  const { prompts, flags } = context;
  const { rules, mayDelete } = await rulesForDeletes(context);
  const isShown = flags.dryRun === true;
  await mayDelete(rules, '', prompts.possible || isShown ? undefined : async () => false);
  if (prompts.asks || isShown) return !isShown;
  if (flags.yes === true) return rules.deletes.length > 0;
  const found = await bestEffort(context, (within) =>
    find({
      ...context,
      call: (id, input, more) => context.call(id, input, { ...more, ...within }),
    }),
  );
  await prompts.confirm(question(found), undone);
  return true;
}

/** Asks, deletes `what` by `deleteOnce`, and returns what the command ends with. */
export async function askAndDelete<Reply>(
  context: Context,
  what: string,
  given: { question: string; id: string | number; assumed: Reply; message?: string },
  request: Deletion<Reply>,
): Promise<Result> {
  await askToDelete(context, given.question);
  const { reply, gone } = await deleteOnce(what, given.assumed, request);
  const { id, message = `Deleted ${what}.` } = given;
  return done({ reply, ids: [String(id)], message: gone ?? message });
}

/** Asks a person where one is to be asked: see `refuseUnasked`. Throws a `UsageError` on a no. */
export async function askToDelete(context: Context, question: string): Promise<void> {
  await context.prompts.confirm(question, undone);
  await refuseDeletes(context, question);
}

/**
 * Deletes something, named `what` in messages. If an earlier try of the same call had no response,
 * a 404 is a success, with `assumed` as the reply, and `gone` is the message instead of "Deleted …".
 * `request` gets the hint for an unknown outcome.
 */
export async function deleteOnce<Reply>(
  what: string,
  assumed: Reply,
  request: Deletion<Reply>,
): Promise<{ readonly reply: Reply; readonly gone?: string }> {
  try {
    return { reply: await request({ hintIfUnknown }) };
  } catch (error) {
    const request = error instanceof NotFoundError ? error.details.request : undefined;
    if (request?.unansweredBefore && !request.mayBeOfProxy) {
      return {
        reply: assumed,
        gone: `There is no ${what} any more: an earlier attempt, whose response was lost, probably deleted it.`,
      };
    }
    throw error;
  }
}

const hintIfUnknown =
  'It may have been deleted. Run the command again: not found (exit code 4) means that it was.';
