import { defineCommand } from '../../lib/command/command.ts';
import { findTemplate } from '../../lib/command/names/templates.ts';
import { emailPage } from '../../lib/email/page.ts';
import { showTemplate } from '../../lib/template/show.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'times'],
  examples: [
    ['mailer template get Welcome', 'Show a template'],
    ['mailer template get Welcome --open', 'Show it in the browser'],
    ['mailer template get tmpl_welcome --quiet --fields html', 'Print its HTML'],
  ],
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
      const page = emailPage([{ html, subject }], subject ?? name ?? template.id);
      context.notes.say(`Opened ${await context.system.openPage(page)}`);
    }
    return showTemplate(template);
  },
});
