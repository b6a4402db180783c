import type { SendEventBody } from '../../../api/event.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** The argument or flag that gives each field of an event. A field without one fails the type check. */
export const eventFlagOf = {
  name: 'NAME',
  contactId: '--contact',
  email: '--contact',
  contactBookId: '--book',
  payload: '--payload',
} as const satisfies Record<keyof SendEventBody, string>;

/** Declares the argument and the flags of an event. */
export function addEventFlags(command: Flags) {
  return command
    .argument('<name>', 'name of the event, as set up at the service')
    .option('--contact <contact>', 'id or email address; @last for the last one created here')
    .option('--book <book>', 'contact book that it is in, needed for an address: id or exact name')
    .option('--create', 'add the contact if the book does not have it, as contact add does')
    .addOption(repeatableOption('--payload <name=value>', 'value to send with the event; repeat'))
    .option('--payload-file <path>', 'values from a JSON file, - for stdin');
}

export type EventFlags = ReturnType<ReturnType<typeof addEventFlags>['opts']>;
