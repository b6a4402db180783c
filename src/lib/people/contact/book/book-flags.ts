import type { CreateContactBookBody, UpdateContactBookBody } from '../../../../api/contact.ts';
import type { Flags } from '../../../command-line/command/command.ts';
import { choice, onOff } from '../../../command-line/command/flags/choice.ts';
import { repeatableOption } from '../../../command-line/command/flags/repeatable.ts';

/** The flag that gives each field of a new contact book. A field without one fails the type check. */
export const createBookFlagOf = {
  name: '--name',
  emoji: '--emoji',
  variables: '--variable',
  properties: '--property',
  doubleOptInEnabled: '--double-opt-in',
  doubleOptInFrom: '--double-opt-in-from',
  doubleOptInSubject: '--double-opt-in-subject',
  doubleOptInContent: '--double-opt-in-content',
} as const satisfies Record<keyof CreateContactBookBody, `--${string}`>;

/** The same for changes. */
export const updateBookFlagOf = {
  ...createBookFlagOf,
  variables: '--add-variable',
} as const satisfies Record<keyof UpdateContactBookBody, `--${string}`>;

/** Declares the flags of a contact book to create. */
export function addCreateBookFlags(command: Flags) {
  return command
    .optionsGroup('Contact book:')
    .option('--name <text>', 'name')
    .addOption(repeatableOption('--variable <name>', 'property that campaigns can use; repeat'))
    .option('--emoji <emoji>', 'shown beside the name in the dashboard')
    .addOption(repeatableOption('--property <name=value>', 'property of the book itself; repeat'))
    .option('--properties-file <path>', 'properties from a JSON file, - for stdin')
    .addOption(optInFlag())
    .option('--double-opt-in-from <address>', fromText)
    .option('--double-opt-in-subject <text>', subjectText)
    .option('--double-opt-in-content <json>', contentText)
    .option('--double-opt-in-content-file <path>', contentFileText)
    .option(...literalFlag);
}

/** Declares the flags of changes to a contact book. */
export function addUpdateBookFlags(command: Flags) {
  return command
    .argument('<book>', 'id or exact name; @last for the last one created here')
    .optionsGroup('Changes:')
    .option('--name <text>', 'name')
    .option('--allow-duplicate', 'rename it even if another one has this name')
    .addOption(repeatableOption('--add-variable <name>', 'property that campaigns can use; repeat'))
    .addOption(
      repeatableOption(
        '--remove-variable <name>',
        'property that campaigns can no longer use; repeat',
      ),
    )
    .option('--emoji <emoji>', 'shown beside the name in the dashboard')
    .addOption(
      repeatableOption(
        '--property <name=value>',
        'property of the book itself to add or replace; repeat',
      ),
    )
    .option('--properties-file <path>', 'properties from a JSON file, - for stdin')
    .addOption(repeatableOption('--remove-property <name>', 'property to remove; repeat'))
    .addOption(optInFlag())
    .option('--double-opt-in-from <address>', `${fromText}; "" for the service's default`)
    .option('--double-opt-in-subject <text>', `${subjectText}; "" for the default`)
    .option('--double-opt-in-content <json>', contentText)
    .option('--double-opt-in-content-file <path>', contentFileText)
    .option(...literalFlag);
}

function optInFlag() {
  const text = 'whether new contacts get an email that asks for confirmation';
  return choice('--double-opt-in <on|off>', onOff, text, { ifEmpty: undefined });
}

const fromText = 'sender of that email';
const subjectText = 'its subject';
const contentText =
  "its body in the JSON format of the dashboard's editor, with {{doubleOptInUrl}}";
const contentFileText = 'the same from a file, - for stdin';
const literalFlag = ['--literal', 'keep the texts of that email as they are written'] as const;

export type CreateBookFlags = ReturnType<ReturnType<typeof addCreateBookFlags>['opts']>;

export type UpdateBookFlags = ReturnType<ReturnType<typeof addUpdateBookFlags>['opts']>;
