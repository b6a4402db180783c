import { parseDuration } from '../../base/input/duration.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { columnFlags } from '../rows/column-choices.ts';
import { maxInvalidFlag } from '../rows/max-invalid.ts';

/** The default time without any arrival after which an import stops waiting. */
const usualWait = '5m';

/** Declares the flags of an import. */
export function addImportFlags(command: Flags) {
  return command
    .argument('<file>', 'CSV, JSON or JSON Lines, also gzipped; - for stdin')
    .option('--book <book>', 'contact book: id or exact name')
    .optionsGroup('Rows:')
    .addOption(columnFlags.map())
    .addOption(columnFlags.ignoreColumn())
    .addOption(columnFlags.onlyColumns())
    .addOption(columnFlags.ignoreFileName())
    .option('--last-wins', 'of rows with the same address, use the last one')
    .option('--skip-invalid', 'leave out invalid rows, import the others')
    .option(...maxInvalidFlag)
    .option(
      '--add-variables',
      'add all properties to the variables of the book, so that campaigns can use them',
    )
    .optionsGroup('Run:')
    .option(
      '--results <path>',
      'write the outcome of each row to a file: JSON Lines, or CSV if its name ends in .csv',
    )
    .option(
      '--wait-timeout <duration>',
      `stop waiting if no contact arrives for this long, such as 90s (default: ${usualWait}, or 60s for those of an earlier import)`,
    )
    .option('--keep-going', 'continue even if the service rejects every contact')
    .option(
      '--resend-unknown',
      'resend contacts that have not arrived, or whose outcome is unknown',
    );
}

export type ImportFlags = ReturnType<ReturnType<typeof addImportFlags>['opts']>;

/** How long to wait for contacts to arrive, in milliseconds; for those that an earlier import sent, by default less. */
export function arrivalWait({ waitTimeout }: Pick<ImportFlags, 'waitTimeout'>) {
  const read = parseDuration('--wait-timeout');
  return { timeout: read(waitTimeout ?? usualWait), ofEarlier: read(waitTimeout ?? '60s') };
}
