import type { Made, MakingContext } from './last-store.ts';

/** Stands for the id of what was made last, where an id is expected. */
export const last = '@last';

/**
 * The id that was given, or for `@last` the one that was made last with this account on this machine.
 * Throws a `UsageError` where there is none.
 */
export async function idGiven(context: MakingContext, made: Made, given: string): Promise<string> {
  if (given !== last) return given;
  const { lastMade } = await import('./last-store.ts');
  return await lastMade(context, made);
}

/**
 * Keeps the id of what the service has accepted, for `@last`. Throws nothing: where it cannot be kept
 * there is no last one, and only if an older one stays is there a warning.
 */
export async function rememberMade(context: MakingContext, made: Made, id: string): Promise<void> {
  const { storeLast } = await import('./last-store.ts');
  await storeLast(context, made, id);
}
