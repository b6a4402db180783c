import { problemOf, toError, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/text/shell-quote.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Times } from '../../content/dates.ts';
import { createBodyMaker, templatesIn } from '../../content/made-body.ts';
import {
  compileTemplates,
  readDatesOf,
  type TemplateSource,
  variablesIn,
} from '../../content/template.ts';
import { refuseQuestions } from '../../content/template-tags.ts';
import { uncheckedVariables } from '../../content/unchecked-fields.ts';
import { misspelt } from './check-names.ts';
import { isIn, type LocalContent, type WrittenEmail } from './local-content.ts';

/** The longest value that an error repeats. */
const longestShown = 40;

/**
 * Makes the bodies of an email as for one row of a file: its variables fill in the placeholders. Throws a `UsageError`
 * for a placeholder without a value, which names the variable that is misspelt.
 */
export async function filledContent(
  context: Times & Pick<Context, 'notes'>,
  { body, source, placeOf, makesText }: WrittenEmail,
): Promise<LocalContent> {
  const variables: Readonly<Record<string, unknown>> = uncheckedVariables(body) ?? {};
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
  const isReact = isMade && source.format === 'react';
  const given = [...Object.values(templates), ...(isMade && !isReact ? templatesIn(source) : [])];
  const names = variablesIn(given);
  // An error about a placeholder cannot tell which variable is misspelt.
  const row = { scope: () => variables, columns: [], fields: {} };
  const fill = async () => {
    refuseQuestions(
      given.filter((one) => one !== undefined),
      names,
      variables,
    );
    const rendered = compileTemplates(templates, await readDatesOf(context, given))(row);
    if (!isMade) return rendered;
    const maker = await createBodyMaker({ source, makesText, variables }, context);
    const made = await maker.make(row, rendered.subject ?? '').finally(maker.end);
    return { ...made, ...rendered };
  };
  const fields = await fill().catch((error: unknown) => {
    const found = misspelt(Object.keys(variables), names);
    if (!(error instanceof UsageError) || isReact || found === undefined) throw error;
    const { name, meant } = found;
    const value = String(variables[name]);
    const word = `${meant}=${value.length > longestShown ? '…' : value}`;
    const flag = placeOf('variables');
    const instead =
      flag === '--var' ? shellQuote([flag, word], context.system) : `${meant} in ${flag}`;
    const message = `${error.message}; did you mean ${instead}?`;
    throw toError({ ...problemOf(error), message });
  });
  // Braces that are left are in values, but for those that an editor has encoded in a link.
  const isData = isIn(variables);
  if (!isReact) return { fields, isData, fills: (written) => !written.startsWith('%7'), names };
  // A component may use any of its props.
  return { fields, isData };
}
