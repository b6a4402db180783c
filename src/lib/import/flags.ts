import type { Flags } from '../command/command.ts';
import { parseDuration } from '../input/duration.ts';

/** The default time without any arrival after which an import stops waiting. */
export const usualWait = '5m';

/** Declares the flags of an import. */
export function addImportFlags(command: Flags) {
  return command
    .argument('<file>', 'CSV, JSON Lines or JSON array, gzip too; - for stdin')
    .option('--book <book>', 'contact book: id or exact name')
    .optionsGroup('Rows:')
    .option('--last-wins', 'of several rows with the same address, take the last one')
    .option('--skip-invalid', 'import the rows that are valid')
    .option(
      '--add-variables',
      'let campaigns use every property: add it to the variables of the book',
    )
    .optionsGroup('Run:')
    .option('--results <path>', 'a line for each row: JSON, or CSV for a name that ends in .csv')
    .option(
      '--wait-timeout <duration>',
      `how long to wait while no contact arrives, such as 90s (default: ${usualWait})`,
    )
    .option('--keep-going', 'continue even if the service rejects every contact')
    .option(
      '--resend-unknown',
      'send contacts again that do not arrive, or whose outcome is unknown',
    )
    .option('--same-account', 'resume with another API key of the same account');
}

export type ImportFlags = ReturnType<ReturnType<typeof addImportFlags>['opts']>;

/** How long to wait for contacts to arrive, in milliseconds. */
export function arrivalWait({ waitTimeout = usualWait }: Pick<ImportFlags, 'waitTimeout'>): number {
  return parseDuration('--wait-timeout')(waitTimeout);
}
