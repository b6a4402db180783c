import { type ChosenField, unknownFields } from './chosen-fields.ts';
import type { PrintOptions } from './print-text.ts';
import type { Column } from './result.ts';

/** What is known about a result besides its contract. */
interface About {
  readonly columns: readonly Column<unknown>[];
  readonly afterWriting?: boolean | undefined;
}

/**
 * Throws a `UsageError` for an unknown field before anything is shown. After writing, only warns.
 */
export function checkFields(
  chosen: readonly ChosenField[],
  rows: readonly unknown[],
  { columns, afterWriting }: About,
  { known, notes }: PrintOptions,
): void {
  const error = unknownFields(chosen, rows, { columns, known });
  if (error === undefined) return;
  if (afterWriting !== true) throw error;
  notes.warn(`${error.message}.`, ...[error.details.hint ?? []].flat());
}
