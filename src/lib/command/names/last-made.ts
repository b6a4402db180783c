import type { LastMade, Made, MakingContext } from './last-store.ts';

/** Stands for the id of what was made last, where an id is expected. */
export const last = '@last';

/**
 * The id that was given, or for `@last` the one that was made last with this account on this machine.
 * Throws a `UsageError` where there is none.
 */
export async function idGiven(context: MakingContext, made: Made, given: string): Promise<string> {
  if (given !== last) return given;
  return (await read(context, made)).id;
}

/**
 * The contact that was given, and its book; `@last` knows the book that it was made in. Throws a
 * `UsageError` where there is no last one.
 */
export async function contactGiven(
  context: MakingContext,
  given: string,
  book: string | undefined,
): Promise<{ readonly contact: string; readonly book: string | undefined }> {
  if (given !== last) return { contact: given, book };
  const made = await read(context, 'contact');
  return { contact: made.id, book: book || made.book };
}

async function read(context: MakingContext, made: Made): Promise<LastMade> {
  const { lastMade } = await import('./last-store.ts');
  return await lastMade(context, made);
}

/**
 * Keeps the id of what the service has accepted, for `@last`, and that of a contact's book. Throws
 * nothing: where it cannot be kept there is no last one, and only if an older one stays is there a
 * warning.
 */
export async function rememberMade(
  context: MakingContext,
  made: Made,
  id: string,
  book?: string,
): Promise<void> {
  const { storeLast } = await import('./last-store.ts');
  await storeLast(context, made, { id, book });
}
