import type { Flags } from '../../command-line/command/command.ts';
import { addImportFlags, type ImportFlags } from '../import/flags.ts';
import { parseMissingLimit, usualMissingLimit } from './limit.ts';

/** Declares the flags of a sync: those of an import, and what to do with contacts missing from the file. */
export function addSyncFlags(command: Flags) {
  // As in `email batch`: commander adds to the same object.
  const described = addImportFlags(command);
  // In other commands, --dry-run shows a request.
  command.optionsGroup('Run:').option('--dry-run', 'show the difference, change nothing');
  addMissingFlags(command);
  return described;
}

function addMissingFlags(command: Flags) {
  return command
    .optionsGroup('Contacts that are not in the file:')
    .option('--unsubscribe-missing', 'unsubscribe them (default: keep them)')
    .option('--delete-missing', 'delete them, except those who have unsubscribed')
    .option(
      '--max-missing <n|n%>',
      `ask, or change nothing and exit with 2, if there are more (default: ${usualMissingLimit.text} of those who have not unsubscribed)`,
      parseMissingLimit,
    );
}

export type SyncFlags = ImportFlags & ReturnType<ReturnType<typeof addMissingFlags>['opts']>;
