import { UsageError } from '../../base/errors.ts';
import { variable } from '../../base/text/column-names.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { TemplateSource } from './template.ts';

/** Texts that mean no to people. To Liquid, every text that is not empty is true, and so is 0. */
export const meansNo = /^(?:false|no|n|f|0|off|nein|non|falso|falsch|faux|n[aã]o)$/i;

/** A tag such as `{% if vip %}`, and a name in it that stands alone or is compared with `true` or `false`. */
export interface Question {
  readonly flag: string;
  readonly tag: string;
  readonly name: string;
  /** What the name is compared with, which no text equals. */
  readonly literal?: string | undefined;
  /** Whether it is a list, to repeat something for each of its items. */
  readonly isList?: true;
}

const tags = /\{%-?\s*(\w+)(.*?)-?%\}/gs;

const compared =
  /(?<![\w.\]-])(?:([A-Za-z_][\w-]*)\s*(?:==|!=|<>)\s*(true|false)|(true|false)\s*(?:==|!=|<>)\s*([A-Za-z_][\w-]*))(?![\w.[-])/g;

/** The tags that ask for a value. */
export function questionsIn({ flag, source }: TemplateSource): readonly Question[] {
  const cases: (string | undefined)[] = [];
  return [...source.matchAll(tags)].flatMap(([tag, word = '', written = '']) => {
    const condition = written.replace(/"[^"]*"|'[^']*'/g, '""');
    if (word === 'case') cases.push(/^\s*([A-Za-z_][\w-]*)\s*$/.exec(condition)?.[1]);
    if (word === 'endcase') cases.pop();
    if (word === 'when') {
      const [name, literal] = [
        cases.at(-1),
        /(?<![\w.-])(?:true|false)(?![\w.[-])/.exec(condition),
      ];
      return name && literal ? [{ flag, tag, name, literal: literal[0] }] : [];
    }
    const [, list] =
      word === 'for' ? (/^\s*\w+\s+in\s+([A-Za-z_][\w-]*)(?![\w.[-])/.exec(written) ?? []) : [];
    if (list !== undefined) {
      const isMade = new RegExp(`\\{%-?\\s*assign\\s+${list}\\s*=`).test(source);
      return isMade ? [] : [{ flag, tag, name: list, isList: true }];
    }
    const literals = [...condition.matchAll(compared)].map(
      ([, left, right, other = right, name = left]) => ({ literal: other, name }),
    );
    const alone = /^(?:if|elsif|unless)$/.test(word)
      ? condition
          .split(/\s(?:and|or)\s/)
          .map((part) => ({ name: /^\s*([A-Za-z_][\w-]*)\s*$/.exec(part)?.[1] }))
      : [];
    return [...literals, ...alone].flatMap(({ name, ...rest }) =>
      name === undefined ? [] : [{ flag, tag, name, ...rest }],
    );
  });
}

/** Whether a text answers a question otherwise than people read it. */
export function isMisanswered({ literal, isList }: Question, text: string): boolean {
  // To Liquid, a text is a list of one item.
  if (isList) return /[,;|\n]/.test(text);
  return literal === undefined ? meansNo.test(text) : text !== '';
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

/** The error for a question that a text such as "false" answers otherwise than people read it; `other` is what a yes is. */
export function misanswered(
  { flag, tag, name, literal, isList }: Question,
  { example, where }: { readonly example: string; readonly where: string },
  other = 'true',
): UsageError {
  const shown = `such as ${JSON.stringify(example)} in ${where}`;
  if (isList) {
    return new UsageError(`${flag}: ${tag} treats a text as a single item, ${shown}`, {
      hint: `Make a list of it first, as in {% assign items = ${name} | split: ${JSON.stringify(/[,;|\n]/.exec(example)?.[0])} %}. In JSON, values may be lists.`,
    });
  }
  if (literal !== undefined) {
    const isSame = (literal === 'false') === meansNo.test(example);
    const text = JSON.stringify(isSame ? example : literal === 'true' ? other : literal);
    const compare = tag.includes(name) ? `${name} == ${text}` : `{% when ${text} %}`;
    return new UsageError(
      `${flag}: ${tag} compares with ${literal}, which equals no text, ${shown}`,
      { hint: `Compare the text: ${compare}. In JSON, values may be true and false.` },
    );
  }
  const is = tag.includes('unless') ? 'false' : 'true';
  return new UsageError(`${flag}: ${tag} is ${is} for any text that is not empty, ${shown}`, {
    hint: `Compare the text: ${name} == ${JSON.stringify(other)}. If any text counts: ${name} != blank`,
  });
}

/** Throws a `UsageError` for what the rows of a file are checked for, too: a tag about a name without a value, or about a text as if it were true or false. */
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
    const value = used.has(question.name) ? values[question.name] : undefined;
    const example = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (isMisanswered(question, example.trim())) {
      throw misanswered(question, { example, where: question.name });
    }
  }
}
