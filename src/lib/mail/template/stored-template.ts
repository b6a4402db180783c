import type { Template, TemplateListItem } from '../../../api/template.ts';
import type { Context } from '../../command-line/command/context.ts';
import { newestFirst } from '../../command-line/command/names/templates.ts';
import { contentText } from './template-content.ts';
import type { TemplateText } from './template-front-matter.ts';

/** A template of the service. */
export interface StoredTemplate extends TemplateText {
  readonly id: string;
  /** Whether it was written in the dashboard's editor, whose document is not in files. */
  readonly isOfEditor: boolean;
}

/** The newest template of each name, as listed by the service. */
export async function newestByName(
  context: Context,
): Promise<ReadonlyMap<string, TemplateListItem>> {
  const templates = newestFirst(await context.call('template.list', {}));
  // Later entries of a map win.
  return new Map(templates.reverse().map((one) => [one.name, one]));
}

/** A listed template with its HTML, which the service renders from the editor's document if needed. */
export async function storedTemplate(
  context: Context,
  { id, name, subject }: TemplateListItem,
): Promise<StoredTemplate> {
  const nameOf = () => `template ${JSON.stringify(name)}`;
  const full = await context.call('template.get', { params: { templateId: id } }, { nameOf });
  return {
    id,
    name,
    subject: full.subject ?? subject ?? '',
    html: await htmlOf(context, full),
    isOfEditor: contentText(full) !== undefined,
  };
}

async function htmlOf(context: Context, template: Template): Promise<string> {
  const content = contentText(template);
  if (template.html || content === undefined) return template.html ?? '';
  return (await context.call('template.render', { body: { content } })).html;
}
