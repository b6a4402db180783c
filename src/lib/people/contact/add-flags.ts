import type { CreateContactBody } from '../../../api/contact.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** The flag that gives each field of a new contact. A field without one fails the type check. */
export const addFlagOf = {
  email: '--email',
  firstName: '--first-name',
  lastName: '--last-name',
  properties: '--property',
  subscribed: '--subscribed',
} as const satisfies Record<keyof CreateContactBody, `--${string}`>;

/** Declares the flags of a contact to add. */
export function addAddFlags(command: Flags) {
  return command
    .optionsGroup('Contact:')
    .option('--book <book>', 'contact book to add it to: id or exact name')
    .option('--email <address>', 'email address')
    .option('--first-name <text>', 'first name')
    .option('--last-name <text>', 'last name')
    .addOption(repeatableOption('--property <name=value>', 'property; repeat'))
    .option('--properties-file <path>', 'properties from a JSON file, - for stdin')
    .option(
      '--subscribed',
      'subscribed (default); a contact that has unsubscribed stays unsubscribed',
    )
    .option('--unsubscribed', 'not subscribed; no email asks for confirmation');
}

export type AddFlags = ReturnType<ReturnType<typeof addAddFlags>['opts']>;
