import type { CreatedKind, LastMade, MakingContext } from './last-store.ts';

/** Stands for the id of what was created last, wherever an id is expected. */
export const last = '@last';

/**
 * The given id; for `@last`, the one created last with this account on this machine. Throws a
 * `NotFoundError` if there is none.
 */
export async function idGiven(
  context: MakingContext,
  made: CreatedKind,
  given: string,
): Promise<string> {
  if (given !== last) return given;
  return (await read(context, made)).id;
}

/**
 * The given contact and its book; `@last` knows the book it was created in. Throws a `NotFoundError`
 * if there is no last one.
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

async function read(context: MakingContext, made: CreatedKind): Promise<LastMade> {
  const { lastMade } = await import('./last-store.ts');
  return await lastMade(context, made);
}

/**
 * Stores an accepted id for `@last`; for a contact, also its book. Never throws: if storing fails,
 * there is no last one. Only if an older one stays is there a warning.
 */
export async function rememberLastCreated(
  context: MakingContext,
  made: CreatedKind,
  id: string,
  book?: string,
): Promise<void> {
  const { storeLast } = await import('./last-store.ts');
  await storeLast(context, made, { id, book });
}
