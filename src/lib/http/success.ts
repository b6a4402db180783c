import { RejectedError } from '../errors.ts';

/** Throws a `RejectedError` if the body of a reply says that nothing was done. */
export function assertSuccess(reply: unknown): void {
  const { success, message }: Readonly<Record<string, unknown>> = Object(reply);
  if (success !== false) return;
  throw new RejectedError(
    typeof message === 'string' && message !== ''
      ? message
      : 'The service did not carry out the request.',
  );
}
