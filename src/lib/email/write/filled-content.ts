import type { Context } from '../../command/context.ts';
import { createBodyMaker, templatesIn } from '../../content/made-body.ts';
import { compileTemplates, type TemplateSource, variablesIn } from '../../content/template.ts';
import { uncheckedVariables } from '../../content/unchecked-fields.ts';
import { unfilledIn } from '../../content/unfilled.ts';
import { type LocalContent, type WrittenEmail, withoutValues } from './local-content.ts';

/** Makes the bodies of an email as for one row of a file: its variables fill in the placeholders. */
export async function filledContent(
  { system }: Pick<Context, 'system'>,
  { body, source, placeOf, makesText }: WrittenEmail,
): Promise<LocalContent> {
  const variables = uncheckedVariables(body) ?? {};
  const isMade =
    source !== undefined && (makesText || source.inlineCss || source.format !== 'html');
  const templateOf = (field: string): TemplateSource | undefined => {
    const text = body[field];
    return typeof text === 'string' ? { flag: placeOf(field), source: text } : undefined;
  };
  const templates = {
    subject: templateOf('subject'),
    text: templateOf('text'),
    html: isMade ? undefined : templateOf('html'),
  };
  const row = { scope: () => variables, columns: Object.keys(variables), fields: {} };
  const rendered = compileTemplates(templates)(row);
  const given = Object.values(templates);
  if (!isMade) return { fields: rendered, unfilled: [], names: variablesIn(given) };
  const maker = await createBodyMaker({ source, makesText, variables }, system);
  const made = await maker.make(row, rendered.subject ?? '').finally(maker.end);
  const fields = { ...made, ...rendered };
  // A component may use any of its props.
  if (source.format === 'react') {
    const unfilled = withoutValues(unfilledIn(source.flag, made.html, 'html'), variables);
    return { fields, unfilled };
  }
  return { fields, unfilled: [], names: variablesIn([...given, ...templatesIn(source)]) };
}
