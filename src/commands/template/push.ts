import { schemas } from '../../json-schemas/load.ts';
import { quantity } from '../../lib/base/text/quantity.ts';
import { visible } from '../../lib/base/text/visible.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { nothingToDo } from '../../lib/command-line/command/flags/allow-empty.ts';
import { checkPlan, planOfCalls } from '../../lib/command-line/command/plan-of.ts';
import { documentOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import { pass } from '../../lib/mail/message/gate.ts';
import { readTemplates } from '../../lib/mail/template/directory.ts';
import { withDirectoryLock } from '../../lib/mail/template/directory-lock.ts';
import { fileList, withResult } from '../../lib/mail/template/file-rows.ts';
import { callsToCreate, compareWithService, createMissing } from '../../lib/mail/template/push.ts';
import { adviceOnTags, literalTemplateFlag } from '../../lib/mail/template/unknown-tags.ts';
import { planDocument } from '../../lib/service/http/dry-run.ts';
import { messageOfFields } from '../../shared/check/message-of-fields.ts';

export const command = defineCommand({
  description:
    'Each file is compared with the newest template of its name. If the subject or the HTML differs, a new template is created, and its id is stored in mailer-templates.lock.json at once. If the service rewrites HTML, that file also has a digest of what was sent, so that the template is created only once. Templates without a file are kept. In a new template, a placeholder that the service does not fill in, such as a Liquid tag, is an error, unless --literal is given. If the outcome of a request is unknown, the list of templates shows whether the template was created. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { changes: true },
  exits: {
    2: 'a file is not a template, or wrong flags',
    4: 'the service does not offer templates',
  },
  prints: [
    rowsOf('the files of the directory', schemas.templateFiles('fileRow')),
    documentOf('what would be created', schemas.templateFiles('pushPlan'), {
      ...{ when: '--dry-run', line: schemas.templateFiles('fileRow') },
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'expected digests', 'confirmation', 'files'],
  quiet: 'only file names, one per line',
  examples: {
    'mailer template push templates': 'Create what is new or changed',
    'mailer template push templates --dry-run': 'Show what would be created',
    'mailer template push templates --yes': 'In a CI job',
  },
  offers: { directory: 'files' },
  flags: (command) =>
    command
      .argument('<directory>', 'directory of HTML files, each with its name and subject')
      .option('--dry-run', 'compare, show what would be created, create nothing')
      .option(...literalTemplateFlag)
      .option('--allow-empty', 'end with 0 if the directory has no templates'),
  async run(context, options, directory) {
    const templates = await readTemplates(context, directory);
    if (templates.length === 0) {
      if (options.allowEmpty !== true) {
        const message = `${visible(directory)} has no templates, which are files ending in .html`;
        throw nothingToDo(message, 'Nothing was created.');
      }
      const empty = `There is nothing to create: ${visible(directory)} has no templates.`;
      return fileList([], { empty });
    }
    const { openWriter } = await import('../../lib/mail/template/writer.ts');
    const push = async () => {
      const writer = await openWriter(context, directory);
      const compared = await compareWithService(context, templates, writer);
      const toCreate = compared.filter(({ row }) => row.result !== 'unchanged');
      const written = toCreate.map(({ template: { file, name, subject, html, htmlLine } }) => ({
        message: messageOfFields({ name, subject, html }, 'template'),
        placeOf: (part: string) => (part === 'html' ? file : `${file}, ${part}`),
        linesBefore: htmlLine - 1,
      }));
      const passed = await pass(context, written, {
        ...{ door: 'stored', nothing: 'Nothing was created.', literal: options.literal },
        advice: adviceOnTags,
      });
      const before = compared.map(({ row }) => row);
      const missing = withResult(before, 'new', 'changed');
      const templatesToCreate = quantity(missing.length, 'template');
      const calls = callsToCreate(toCreate);
      if (options.dryRun === true) {
        return fileList(before, {
          plan: await planDocument(await planOfCalls(context, calls)),
          note: () => `${templatesToCreate} would be created. Nothing was created.`,
        });
      }
      await checkPlan(context, calls);
      if (missing.length > 0) {
        await context.prompts.confirm(
          `This creates ${templatesToCreate}, which the API can neither change nor delete. Continue?`,
          'Nothing was created',
          missing.map(({ file, result }) => `${result}  ${visible(file)}`),
        );
      }
      const { rows, failure } = await createMissing(context, compared, writer, passed);
      const created = quantity(withResult(rows, 'created').length, 'template');
      return fileList(rows, { note: () => (failure ? undefined : `Created ${created}.`), failure });
    };
    return await (options.dryRun === true ? push() : withDirectoryLock(context, directory, push));
  },
});
