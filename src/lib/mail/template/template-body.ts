import type { CreateTemplateBody } from '../../../api/template.ts';
import { UsageError } from '../../base/errors.ts';
import { textOrFile } from '../../base/input/text-or-file.ts';
import { askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { TemplateFlags } from './template-flags.ts';

/** The template to create, from flags and answers to questions. Throws a `UsageError` for missing fields. */
export async function readTemplateBody(
  { files, prompts }: Context,
  flags: TemplateFlags & { readonly literal?: boolean | undefined },
): Promise<CreateTemplateBody> {
  const html = await textOrFile(files, '--html', flags.html, flags.htmlFile, {
    literal: flags.literal,
    flagOf: () => '--html-file',
  });
  const content = await textOrFile(files, '--content', flags.content, flags.contentFile, {
    literal: flags.literal,
    flagOf: () => '--content-file',
  });
  if (html !== undefined && content !== undefined) {
    throw new UsageError('--html and --content cannot be used together');
  }
  const [name = '', subject = '', body] = await askForValues(
    [
      { flag: '--name', question: 'Name', value: flags.name },
      { flag: '--subject', question: 'Subject', value: flags.subject },
      { flag: '--html', question: 'HTML', value: html ?? content },
    ],
    prompts,
    (html ?? content) ? undefined : 'Instead of --html, you can use --html-file or --content.',
  );
  return { name, subject, ...(content === undefined ? { html: body } : { content }) };
}
