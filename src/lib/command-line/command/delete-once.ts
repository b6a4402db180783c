import { NotFoundError } from '../../base/errors.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { done, type Result } from '../output/result.ts';
import type { Context, LocalContext } from './context.ts';

type Asking = Pick<LocalContext, 'prompts'>;
type Deletion<Reply> = (options: CallOptions) => Promise<Reply>;

const undone = 'Nothing was deleted';

/**
 * Throws if a question is needed and cannot be asked, or if the policy lets nobody delete, before anything is looked up:
 * what the policy refuses, `--yes` does not confirm.
 */
export async function refuseUnasked(
  { prompts, policy, flags }: Asking & Pick<Context, 'policy' | 'flags'>,
  question: string,
): Promise<void> {
  if (prompts.asks) return;
  const [{ policy: rules }, { mayDelete }, { throwIf, whyNotChanged }] = await Promise.all([
    policy(),
    import('../../service/policy/deletes.ts'),
    import('../../service/policy/refusal.ts'),
  ]);
  throwIf(whyNotChanged(rules));
  const isAskable = prompts.possible || flags.dryRun === true;
  await mayDelete(rules, '', isAskable ? undefined : async () => false);
  await prompts.confirm(question, undone);
}

/** Asks, deletes `what` by `deleteOnce`, and returns what the command ends with. */
export async function askAndDelete<Reply>(
  { prompts }: Asking,
  what: string,
  given: { question: string; id: string | number; assumed: Reply; message?: string },
  request: Deletion<Reply>,
): Promise<Result> {
  await prompts.confirm(given.question, undone);
  const { reply, gone } = await deleteOnce(what, given.assumed, request);
  const { id, message = `Deleted ${what}.` } = given;
  return done({ reply, ids: [String(id)], message: gone ?? message });
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
