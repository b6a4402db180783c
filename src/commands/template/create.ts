import { defineCommand } from '../../lib/command-line/command/command.ts';
import { existingNamed, ifMissingFlag } from '../../lib/command-line/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command-line/command/names/last-made.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { pass } from '../../lib/mail/message/gate.ts';
import { readTemplateBody } from '../../lib/mail/template/template-body.ts';
import { addTemplateFlags, templateFlagOf } from '../../lib/mail/template/template-flags.ts';
import { adviceOnTags, literalTemplateFlag } from '../../lib/mail/template/unknown-tags.ts';
import { namedBy } from '../../lib/service/http/named-by.ts';
import { messageOfFields } from '../../shared/check/message-of-fields.ts';

const nameOf = namedBy(templateFlagOf);

export const command = defineCommand({
  description:
    'The service has no update and no delete for templates: a new version is another template with the same name. A placeholder that the service does not fill in, such as a Liquid tag, is an error, unless --literal is given.',
  effects: { changes: true },
  exits: { 4: 'the service does not offer templates' },
  prints: [replyOf('template.create')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'files'],
  examples: {
    'mailer template create --name Welcome --subject "Welcome, {{name}}" --html-file welcome.html':
      'From a file',
  },
  flags: (command) =>
    addTemplateFlags(command)
      .option(...literalTemplateFlag)
      .option(...ifMissingFlag),
  async run(context, options) {
    const body = await readTemplateBody(context, options);
    const { contentFile, content, htmlFile } = options;
    const ofContent = contentFile ?? (content === undefined ? undefined : '--content');
    const place = ofContent ?? htmlFile ?? '--html';
    const written = {
      message: messageOfFields(body, 'template'),
      placeOf: (part: string) =>
        part === 'html' || part === 'content' ? place : (nameOf(part) ?? part),
    };
    const passed = await pass(context, written, {
      ...{ door: 'stored', nothing: 'Nothing was created.', literal: options.literal },
      advice: adviceOnTags,
    });
    if (options.ifMissing === true && context.flags.dryRun !== true) {
      const templates = await context.call('template.list', {});
      const known = existingNamed(templates, 'template', body.name);
      if (known !== undefined) {
        const reply = await context.call('template.get', { params: { templateId: known.id } });
        const message = `Template ${body.name} exists already. Nothing was created.`;
        return done({ reply, ids: [reply.id], message });
      }
    }
    const look = nextCommand(context, 'template', 'list');
    const reply = await context.callPassed(
      passed,
      'template.create',
      { body },
      {
        nameOf,
        hintIfUnknown: `It may have been created. Check before you create it again:\n${look}`,
      },
    );
    await rememberLastCreated(context, 'template', reply.id);
    const send = nextCommand(context, 'email', 'send', '--template', reply.id);
    const message = `Created template ${body.name}. To send it: ${send}`;
    return done({ reply, ids: [reply.id], message });
  },
});
