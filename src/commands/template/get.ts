import { defineCommand } from '../../lib/command-line/command/command.ts';
import { findTemplate } from '../../lib/command-line/command/names/templates.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { openPreview } from '../../lib/mail/content/preview-page.ts';
import { showTemplate } from '../../lib/mail/template/show-template.ts';

export const command = defineCommand({
  description:
    'A name must be exact; if several templates have it, the newest is shown. On a terminal, HTML is shown as text with the targets of links; --json and --fields html show all of it.',
  effects: { reads: true },
  exits: { 4: 'there is no such template, or the service does not offer templates' },
  prints: [replyOf('template.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer template get Welcome': 'Show a template',
    'mailer template get Welcome --open': 'Show it in the browser',
    'mailer template get tmpl_welcome --quiet --fields html': 'Print its HTML',
  },
  flags: (command) =>
    command
      .argument(
        '<template>',
        'id or exact name, which means the newest of that name; @last for the last one created here',
      )
      .option('--open', 'also show it in the browser'),
  async run(context, options, named) {
    const template = await findTemplate(context, named);
    if (options.open === true) {
      const { html, subject, name } = template;
      await openPreview(context, [{ html, subject }], subject ?? name ?? template.id);
    }
    return showTemplate(template);
  },
});
