import type { TemplateListItem } from '../../api/template.ts';
import type { Context } from '../command/context.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { looksLikeId } from '../text/looks-like-id.ts';

/**
 * The id of a template named by id or exact name. What looks like an id is one; a service without a
 * list of templates has ids only. Throws a `UsageError` for a name that several have, and a
 * `NotFoundError` when there is none. `--dry-run` looks nothing up.
 */
export async function templateNamed(context: Context, named: string): Promise<string> {
  if (looksLikeId(named) || context.flags.dryRun === true) return named;
  let templates: readonly TemplateListItem[];
  try {
    templates = await context.call('template.list', {});
  } catch (error) {
    if (error instanceof NotFoundError) return named;
    throw error;
  }
  if (templates.some(({ id }) => id === named)) return named;
  const found = templates.filter(({ name }) => name === named);
  const [first, ...others] = found;
  if (first === undefined) {
    throw new NotFoundError(`There is no template ${JSON.stringify(named)}. Nothing was sent.`);
  }
  if (others.length === 0) return first.id;
  throw new UsageError(
    [
      `${found.length} templates are named ${JSON.stringify(named)}:`,
      ...found.map(({ id, subject }) => [`  ${id}`, subject].filter(Boolean).join('  ')),
    ].join('\n'),
    { hint: 'Use the id instead.' },
  );
}
