import type { CreateTemplateBody } from '../../../api/template.ts';
import type { Flags } from '../../command-line/command/command.ts';

/** The flag that sets each field of a template. A field without one fails the type check. */
export const templateFlagOf = {
  name: '--name',
  subject: '--subject',
  html: '--html',
  content: '--content',
} as const satisfies Record<keyof CreateTemplateBody, `--${string}`>;

/** Declares the flags of a template to create. */
export function addTemplateFlags(command: Flags) {
  return command
    .option('--name <text>', 'name, which email send --template takes')
    .option('--subject <text>', 'subject; {{name}} stands for a variable')
    .option('--html <html>', 'HTML body; {{name}} stands for a variable')
    .option('--html-file <path>', 'HTML body from a file, - for stdin')
    .option(
      '--content <json>',
      "body in the JSON format of the dashboard's editor, instead of HTML",
    )
    .option('--content-file <path>', 'the same from a file, - for stdin');
}

export type TemplateFlags = ReturnType<ReturnType<typeof addTemplateFlags>['opts']>;
