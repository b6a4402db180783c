import { defineCommand } from '../../lib/command/command.ts';
import { rememberMade } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { done } from '../../lib/output/result.ts';
import { readTemplateBody } from '../../lib/template/template-body.ts';
import { addTemplateFlags, templateFlagOf } from '../../lib/template/template-flags.ts';

const flagNames: Readonly<Record<string, string>> = templateFlagOf;

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer template create --name Welcome --subject "Welcome, {{name}}" --html-file welcome.html',
      'From a file',
    ],
  ],
  flags: addTemplateFlags,
  async run(context, options) {
    const body = await readTemplateBody(context, options);
    const look = nextCommand(context, 'template', 'list');
    const reply = await context.call(
      'template.create',
      { body },
      {
        nameOf: (field) => flagNames[field],
        hintIfUnknown: `It may have been created. Check before you create it again:\n${look}`,
      },
    );
    await rememberMade(context, 'template', reply.id);
    const send = nextCommand(context, 'email', 'send', '--template', reply.id);
    const message = `Created template ${body.name}. To send it: ${send}`;
    return done({ reply, ids: [reply.id], message });
  },
});
