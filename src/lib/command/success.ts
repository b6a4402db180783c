import { RejectedError } from '../errors.ts';

/** Throws a `RejectedError` if the body of a reply says that nothing was done. */
export function assertSuccess(reply: {
  readonly success?: boolean | null | undefined;
  readonly message?: unknown;
}): void {
  if (reply.success !== false) return;
  throw new RejectedError(
    typeof reply.message === 'string' && reply.message !== ''
      ? reply.message
      : 'The service did not carry out the request.',
  );
}
