import type { Template, TemplateListItem } from '../../../../api/template.ts';
import { NotFoundError, when } from '../../../base/errors.ts';
import { looksLikeMadeId } from '../../../base/text/looks-like-id.ts';
import type { Context } from '../context.ts';
import { idGiven } from './last-made.ts';
import { howToList, refuseEmpty } from './named.ts';

/**
 * The id of a template given by id, exact name or `@last`. What looks like an id is an id. If a
 * service has no list of templates, names do not work. If several have the name, the newest counts.
 * Throws a `NotFoundError` if none has. `--dry-run` looks nothing up.
 */
export async function templateNamed(context: Context, given: string): Promise<string> {
  const named = await idGiven(context, 'template', given);
  if (looksLikeMadeId(named) || context.flags.dryRun === true) return named;
  const listed = context.call('template.list', {});
  const templates = await listed.catch(when(NotFoundError, () => undefined));
  if (templates === undefined) return named;
  const found = newestNamed(templates, named);
  if (found === undefined) throw noTemplate(context, named, ' Nothing was sent.');
  context.names.set(found.id, named);
  return found.id;
}

/** The template with its content; otherwise the same. */
export async function findTemplate(context: Context, given: string): Promise<Template> {
  const named = await idGiven(context, 'template', given);
  refuseEmpty('template', named);
  if (!looksLikeMadeId(named)) return await byName(context, named);
  try {
    return await context.call('template.get', { params: { templateId: named } });
  } catch (error) {
    // Without a code, the operation itself may be missing.
    if (!(error instanceof NotFoundError) || error.details.apiCode === undefined) throw error;
    return await byName(context, named);
  }
}

async function byName(context: Context, named: string): Promise<Template> {
  const found = newestNamed(await context.call('template.list', {}), named);
  if (found === undefined) throw noTemplate(context, named);
  return await context.call('template.get', { params: { templateId: found.id } });
}

function noTemplate(context: Context, named: string, undone = ''): NotFoundError {
  return new NotFoundError(`There is no template ${JSON.stringify(named)}.${undone}`, {
    hint: howToList(context, 'template'),
  });
}

/**
 * The template with this id, else the newest with this name: changing a template creates a new one.
 */
function newestNamed(
  templates: readonly TemplateListItem[],
  named: string,
): TemplateListItem | undefined {
  const byId = templates.find(({ id }) => id === named);
  return byId ?? newestFirst(templates.filter(({ name }) => name === named))[0];
}

/**
 * Templates from newest to oldest. Those without a time, or with the same, stay in listed order.
 */
export function newestFirst(templates: readonly TemplateListItem[]): TemplateListItem[] {
  const at = ({ createdAt }: TemplateListItem) => Date.parse(createdAt ?? '');
  return templates.toSorted((one, other) => at(other) - at(one) || 0);
}
