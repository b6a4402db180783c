import { anyEntity } from '../../../../shared/check/checks/html-entity.ts';
import { garbled } from '../../../../shared/check/checks/wrong-charset.ts';
import { knownTag } from '../../../../shared/foreign-tags.ts';
import { noValue } from '../../../../shared/no-value.ts';
import { UsageError, withHint } from '../../../base/errors.ts';
import { type TemplateSource, variablesIn } from '../../../mail/content/template.ts';
import {
  isMisanswered,
  meansNo,
  misanswered,
  type Question,
  questionsIn,
  tagWith,
  unknownName,
} from '../../../mail/content/template-tags.ts';
import type { ReadableRow, Rows } from '../../../people/rows/row.ts';
import { addRow, rowsInWords, type SomeRows } from '../../../people/rows/row-findings.ts';
import { comparisonsIn, misread } from './compared-texts.ts';
import type { Common } from './email-of-row.ts';

interface DoubtfulValue {
  readonly pattern: RegExp;
  /** What is said of a name with it. */
  readonly is: string;
  /** Whether nothing is sent then: nobody writes such a name. */
  readonly stops: boolean;
}

/** Values that their author may not mean. */
const doubtful: readonly DoubtfulValue[] = [
  // What programs write into a cell that has no value.
  {
    pattern: new RegExp(`${noValue.source}|^(?:-{1,3}|[–—])$`),
    is: 'is a text such as',
    stops: false,
  },
  { pattern: /^\s.*\S|\S\s$/s, is: 'has blanks around it, as in', stops: false },
  {
    // Not global, as it is tested.
    pattern: new RegExp(garbled.source, 'u'),
    is: 'was read in the wrong charset, as in',
    stops: true,
  },
  // What a spreadsheet makes of a long number: its digits are lost.
  { pattern: /^\d(?:[.,]\d+)?E\+\d\d$/, is: 'was shortened by a spreadsheet, as in', stops: true },
  { pattern: anyEntity, is: 'has an HTML entity such as', stops: false },
  {
    pattern: new RegExp(`\\{\\{|\\{%|${knownTag.source}`),
    is: 'has a placeholder such as',
    stops: true,
  },
];

/** Characters of a value that a message shows. */
const longestShown = 60;

/** Rows with a value that their author may not mean. */
interface Doubt extends SomeRows {
  readonly example: string;
}

export type TemplateNames = ReturnType<typeof createTemplateNames>;

/** The same rows, taken by `names` one by one. */
export async function* takenBy(names: TemplateNames, rows: Rows, common: Stored): Rows {
  for await (const row of rows) {
    if (!('problem' in row)) names.take(row, await namesOfStored(row, common));
    yield row;
  }
}

type Stored = Pick<Common, 'fields' | 'template'>;

/** The names in the stored template of a row; undefined if it has none that is looked at. */
export async function namesOfStored({ fields }: ReadableRow, common: Stored) {
  const id = fields.templateId ?? common.fields.templateId;
  return typeof id === 'string' ? (await common.template(id))?.names : undefined;
}

/**
 * Compares the names in templates with the values of rows. `given` has the names with values from the command line;
 * `literal` tells that all values are meant, and `isProp` which columns a component may use.
 */
export function createTemplateNames(
  templates: readonly TemplateSource[],
  given: readonly string[],
  literal: boolean,
  isProp?: (name: string) => boolean,
) {
  const used = templates.length === 0 ? new Set<string>() : variablesIn(templates);
  const questions = templates.flatMap(questionsIn);
  const comparisons = templates.flatMap(comparisonsIn);
  const unseen = new Set([...used].filter((name) => !given.includes(name)));
  const seen = new Set<string>();
  const answers = new Map<Question, Doubt>();
  const doubts = doubtful.map((one) => ({ ...one, of: new Map<string, Doubt>() }));
  const compared = new Map<string, Doubt>();
  const otherTexts = new Map<string, string>();
  let last: readonly string[] | undefined;
  let isCsv = false;
  return {
    /** `stored` has the names in the stored template of the row. */
    take({ number, columns, scope, fieldColumns }: ReadableRow, stored?: Iterable<string>): void {
      const others = [...(stored ?? []), ...(isProp ? columns.filter(isProp) : [])];
      const names = others.length === 0 ? used : new Set([...used, ...others]);
      if (names.size === 0) return;
      isCsv = fieldColumns !== undefined;
      if (columns !== last) {
        last = columns;
        for (const column of columns) {
          unseen.delete(column);
          if (seen.size < 1000) seen.add(column);
        }
      }
      const values = scope();
      for (const comparison of comparisons) {
        const example = misread(comparison, values);
        if (example !== undefined) addRow(compared, comparison.written, number, { example });
      }
      for (const name of names) {
        const value = values[name];
        if (typeof value !== 'string' && typeof value !== 'number') continue;
        const text = String(value).trim();
        for (const { pattern, of } of doubts) {
          if (pattern.test(text) || pattern.test(String(value)))
            addRow(of, name, number, { example: String(value).slice(0, longestShown) });
        }
        for (const question of questions) {
          if (question.name !== name) continue;
          if (isMisanswered(question, text)) addRow(answers, question, number, { example: text });
          if (!meansNo.test(text) && !otherTexts.has(name)) otherTexts.set(name, text);
        }
      }
    },
    /**
     * Throws a `UsageError` for a name in a tag that no row has, if all rows were taken or have the same columns, and
     * for a question that a text such as "false" answers otherwise than people read it, and for values that nobody means, except in a test.
     * Returns what else is to be said.
     */
    end(isWhole: boolean, isTest = false): readonly string[] {
      const missing = isWhole || isCsv ? [...unseen] : [];
      for (const name of missing) {
        const inTag = tagWith(templates, name);
        if (inTag !== undefined) throw unsent(unknownName(inTag, name, [...seen], 'no row has'));
      }
      for (const question of questions) {
        const doubt = answers.get(question);
        if (doubt === undefined) continue;
        const asRows = { example: doubt.example, where: rowsInWords(doubt) };
        throw unsent(misanswered(question, asRows, otherTexts.get(question.name)));
      }
      const stopping =
        !isTest && !literal ? doubts.filter(({ stops, of }) => stops && of.size > 0) : [];
      if (stopping.length > 0) {
        throw new UsageError(stopping.flatMap(({ is, of }) => doubtsInWords(is, of)).join('\n'), {
          hint: 'Nothing was sent. Correct these values. To send them as they are, add --literal.',
        });
      }
      return [
        ...missing.map(
          (name) => `No row has ${JSON.stringify(name)}. Only a default can fill it in.`,
        ),
        ...doubts.flatMap(({ is, of }) =>
          doubtsInWords(is, of).map((line) => `${line}. It is sent as it is.`),
        ),
        ...[...compared].map(
          ([written, doubt]) =>
            `${written} compares texts, not numbers, in ${rowsInWords(doubt)}: ${doubt.example}.`,
        ),
      ];
    },
  };
}

function doubtsInWords(is: string, of: ReadonlyMap<string, Doubt>): readonly string[] {
  return [...of].map(
    ([name, doubt]) =>
      `${JSON.stringify(name)} ${is} ${JSON.stringify(doubt.example)} in ${rowsInWords(doubt)}`,
  );
}

function unsent(error: UsageError): unknown {
  return withHint(error, ({ details: { hint } }) => `Nothing was sent. ${hint}`);
}
