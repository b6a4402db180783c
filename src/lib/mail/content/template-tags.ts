import { UsageError } from '../../base/errors.ts';
import { variable } from '../../base/text/column-names.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { TemplateSource } from './template.ts';

/** Texts that mean no to people. To Liquid, every text that is not empty is true, and so is 0. */
export const meansNo = /^(?:false|no|n|f|0|off|nein|non|falso|falsch|faux|n[aã]o)$/i;

/** A tag such as `{% if vip %}`, and a name in it that stands alone. */
export interface Question {
  readonly flag: string;
  readonly tag: string;
  readonly name: string;
}

const tags = /\{%-?\s*(\w+)(.*?)-?%\}/gs;

/** The tags that ask for a value. */
export function questionsIn({ flag, source }: TemplateSource): readonly Question[] {
  return [...source.matchAll(tags)].flatMap(([tag, word = '', condition = '']) =>
    /^(?:if|elsif|unless)$/.test(word)
      ? condition.split(/\s(?:and|or)\s/).flatMap((part) => {
          const name = /^\s*([A-Za-z_][\w-]*)\s*$/.exec(part)?.[1];
          return name === undefined ? [] : [{ flag, tag, name }];
        })
      : [],
  );
}

/** The first tag that has a name. */
export function tagWith(templates: readonly TemplateSource[], name: string) {
  for (const { flag, source } of templates) {
    const found = [...source.matchAll(tags)].find(([tag]) => tag.match(/[\w-]+/g)?.includes(name));
    if (found !== undefined) return { flag, tag: found[0] };
  }
  return undefined;
}

/** The error for a name in a tag without a value; `columns` are those that may be meant. */
export function unknownName(
  { flag, tag }: Pick<Question, 'flag' | 'tag'>,
  name: string,
  columns: readonly string[],
  problem: string,
): UsageError {
  const meant = nearest(name, columns);
  const instead = meant === undefined ? '' : `; did you mean ${variable(meant)}?`;
  return new UsageError(`${flag}: ${problem} ${JSON.stringify(name)}, as in ${tag}${instead}`, {
    hint: `If it is meant to have no value, write {% assign ${name} = nil %} first.`,
  });
}

/** The error for a question that a text such as "false" answers with yes. */
export function alwaysYes(
  { flag, tag, name }: Question,
  { example, where }: { readonly example: string; readonly where: string },
  other = 'true',
): UsageError {
  return new UsageError(
    `${flag}: ${tag} is true for any text that is not empty, such as ${JSON.stringify(example)} in ${where}`,
    {
      hint: `Compare the text: ${name} == ${JSON.stringify(other)}. If any text counts: ${name} != blank`,
    },
  );
}

/** Throws a `UsageError` for what the rows of a file are checked for, too: a tag about a name without a value, or about "false". */
export function refuseQuestions(
  templates: readonly TemplateSource[],
  used: ReadonlySet<string>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name of used) {
    const inTag = Object.hasOwn(values, name) ? undefined : tagWith(templates, name);
    if (inTag !== undefined) throw unknownName(inTag, name, [], 'there is no value for');
  }
  for (const question of templates.flatMap(questionsIn)) {
    const value = values[question.name];
    const example = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (meansNo.test(example.trim())) throw alwaysYes(question, { example, where: question.name });
  }
}
