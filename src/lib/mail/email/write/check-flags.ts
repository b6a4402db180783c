import type { Flags } from '../../../command-line/command/command.ts';
import { choice } from '../../../command-line/command/flags/choice.ts';
import { rarelyNeeded } from '../../../command-line/command/flags/rarely-needed.ts';
import { repeatableOption } from '../../../command-line/command/flags/repeatable.ts';
import { failOnOption, ignoreOption } from '../../check/check-gate.ts';
import { fileTypes } from '../../content/body-files.ts';
import { addContentFlags, type ContentFlags, type SendFlags } from './send-flags.ts';

/** Declares the flags of a check: its own, and those of the email, as in a send. */
export function addCheckFlags(command: Flags) {
  addContentFlags(command);
  // Here, a file usually has all of these.
  for (const option of command.options) option.helpGroup(rarelyNeeded);
  // One chain for all flags is too deep for TypeScript; commander adds to the same object.
  const described = command
    .argument(
      '[files...]',
      'HTML, text, Markdown, MJML, React Email, messages (.eml), requests as JSON, or directories; - for stdin',
    )
    .optionsGroup('Check:')
    .addOption(choice('--type <type>', fileTypes, 'type of the files'))
    .option('--campaign', 'check it as the content of a campaign')
    .option('--links', 'request the page of each link over the network')
    .addOption(failOnOption())
    .addOption(ignoreOption());
  command
    .optionsGroup(rarelyNeeded)
    .addOption(repeatableOption('--to <addresses>', 'recipients, which are not checked'))
    .option('--preview-text <text>', 'text that mail programs show beside the subject')
    .option('--eml <path>', 'the email as a message (.eml), - for stdin')
    .option('--file <path>', 'the request as JSON, - for stdin; flags override it');
  return described;
}

/** All flags of a check. */
export type CheckFlags = ReturnType<ReturnType<typeof addCheckFlags>['opts']> &
  ContentFlags &
  Pick<SendFlags, 'to' | 'file' | 'eml'> & { readonly previewText?: string };
