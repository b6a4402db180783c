import { NotFoundError } from '../../base/errors.ts';
import type { CallOptions } from '../../service/http/client.ts';

interface Deleted<Reply> {
  readonly reply: Reply;
  /** The message if no response confirms the deletion, instead of "Deleted …". */
  readonly gone?: string;
}

/**
 * Deletes something, named `what` in messages. If an earlier try of the same call had no response,
 * a 404 is a success, with `assumed` as the reply. `request` gets the hint for an unknown outcome.
 */
export async function deleteOnce<Reply>(
  what: string,
  assumed: Reply,
  request: (options: CallOptions) => Promise<Reply>,
): Promise<Deleted<Reply>> {
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
