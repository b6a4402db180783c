import type { UpdateContactBody } from '../../../api/contact.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** The flag that gives each field of a change. A field without one fails the type check. */
export const updateFlagOf = {
  firstName: '--first-name',
  lastName: '--last-name',
  properties: '--property',
  subscribed: '--subscribed',
} as const satisfies Record<keyof UpdateContactBody, `--${string}`>;

/** Declares the flags of a change to a contact. */
export function addUpdateFlags(command: Flags) {
  return command
    .argument(
      '<contact>',
      'id or email address; @last for the last one created here; with --unsubscribed, - for addresses or ids from stdin',
    )
    .option('--book <book>', 'contact book it is in: id or exact name')
    .optionsGroup('Changes:')
    .option('--first-name <text>', 'first name; "" empties it')
    .option('--last-name <text>', 'last name; "" empties it')
    .addOption(repeatableOption('--property <name=value>', 'property to add or replace; repeat'))
    .option('--properties-file <path>', 'properties from a JSON file, - for stdin')
    .option('--subscribed', 'subscribe to the book, even after an unsubscription')
    .option('--unsubscribed', 'unsubscribe from the book')
    .option('--allow-empty', 'end with 0 if stdin has no addresses')
    .option('--file <path>', 'the changes as JSON, - for stdin; flags override it');
}

export type UpdateFlags = ReturnType<ReturnType<typeof addUpdateFlags>['opts']>;
