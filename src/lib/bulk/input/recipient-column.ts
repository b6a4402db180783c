import type { Context } from '../../command/context.ts';
import { sameCommand } from '../../command/repeat-command.ts';

/** How an input without a column "to" gets recipients. */
export interface Recipients {
  /** Whether the command line gives them. */
  readonly given: boolean;
  /** Told of another column that they are taken from. */
  taken(column: string): void;
  /** The command line that takes them from this column. */
  lineFor(column: string): string;
}

/** What a command line says about recipients. */
export function recipientsBy(context: Context, given: boolean): Recipients {
  return {
    given,
    taken: (column) =>
      context.notes.say(`The recipients are in the column ${JSON.stringify(column)}.`),
    lineFor: (column) => sameCommand(context, ['--to'], ['--to', variable(column)]).line,
  };
}

/** A column in a template; a name with a blank or a hyphen is in brackets and quotes. */
export function variable(column: string): string {
  return /^\w+$/.test(column) ? `{{ ${column} }}` : `{{ [${JSON.stringify(column)}] }}`;
}

/** The column that certainly has the recipients; undefined where none is, or several are. */
export function recipientColumn(columns: readonly string[]): string | undefined {
  const [only, another] = columns.filter((one) => /^emails?(address(es)?)?$/.test(asMeant(one)));
  return another === undefined ? only : undefined;
}

/** Columns that may have them: an address may also be that of a house. */
export function likelyColumns(columns: readonly string[]): string[] {
  return columns.filter((one) => /mail|^address(es)?$|^recipients?$/.test(asMeant(one)));
}

/** A name as people mean it. */
export function asMeant(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
