import { defineCommand } from '../../lib/command/command.ts';
import { existingNamed, ifMissingFlag } from '../../lib/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { refuseFrontMatterIn } from '../../lib/content/almost-front-matter.ts';
import { localUrlsIn, localUrlsInDocument, refuseLocalUrls } from '../../lib/content/local-urls.ts';
import { lostCharactersOf, refuseLostCharacters } from '../../lib/content/lost-characters.ts';
import { namedBy } from '../../lib/http/named-by.ts';
import { done } from '../../lib/output/result.ts';
import { readTemplateBody } from '../../lib/template/template-body.ts';
import { addTemplateFlags, templateFlagOf } from '../../lib/template/template-flags.ts';
import { literalTemplateFlag, refuseUnknownTags } from '../../lib/template/unknown-tags.ts';

const nameOf = namedBy(templateFlagOf);

export const command = defineCommand({
  description:
    'The service has no update and no delete for templates: a new version is another template with the same name. A placeholder that the service does not fill in, such as a Liquid tag, is an error, unless --literal is given.',
  effects: { changes: true },
  exits: { 4: 'the service does not offer templates' },
  prints: [replyOf('template.create')],
  takes: ['service', 'sandbox', 'dry runs'],
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
    if (options.literal !== true) {
      const ofContent = contentFile ?? (content === undefined ? undefined : '--content');
      const place = ofContent ?? htmlFile ?? '--html';
      refuseFrontMatterIn(place, body.html, 'Nothing was created.');
      refuseUnknownTags(body, place);
      const placeOf = (field: string) =>
        field === 'html' || field === 'content' ? place : (nameOf(field) ?? field);
      refuseLostCharacters(lostCharactersOf(body, placeOf), 'Nothing was created.');
      const urls = [
        ...(await localUrlsIn(place, body.html)),
        ...(await localUrlsInDocument(place, body.content)),
      ];
      await refuseLocalUrls(urls, 'Nothing was created.', context);
    }
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
    const reply = await context.call(
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
