import { UsageError } from '../../../base/errors.ts';
import { asMeant } from '../../../base/text/column-names.ts';
import { type ShellSystem, shellQuote } from '../../../base/text/shell-quote.ts';
import type { ColumnChoices } from '../../../people/rows/column-choices.ts';
import type { ReadableRow } from '../../../people/rows/row.ts';

/** Names of columns that may be meant as a field of the request, if their cells look like it. */
interface NearName {
  readonly names: RegExp;
  readonly field: string;
  readonly values: RegExp;
  /** Whether it is also the name of many a variable, so that it stops nothing. */
  readonly isCommon?: true;
}

const aTime =
  /^\d{4}-\d\d?-\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\d{1,2}:\d\d|^(?:today|tonight|tomorrow|next|in \d)/i;
const anAddress = /\S@\S/;
const anyText = /\S/;

const nearNames: readonly NearName[] = [
  {
    names:
      /^(?:send(?:at|on|date|time|datetime|later|when)|schedul(?:e|ed|ing)(?:at|on|for|date|time|datetime|send)?|deliver(?:at|on))$/,
    field: 'scheduledAt',
    values: aTime,
  },
  {
    names: /^attach(?:ed|ment)?(?:s|files?|names?|paths?|urls?)?$/,
    field: 'attachments',
    values: anyText,
  },
  { names: /^(?:cc(?:emails?|to|address(?:es)?)|emailcc|copyto)$/, field: 'cc', values: anAddress },
  { names: /^(?:bcc(?:emails?|to|address(?:es)?)|emailbcc)$/, field: 'bcc', values: anAddress },
  {
    names: /^(?:replyto|reply)(?:email|address)$/,
    field: 'replyTo',
    values: anAddress,
  },
  {
    names: /^(?:(?:from|sender)(?:email|address)|sender)$/,
    field: 'from',
    values: anAddress,
  },
  { names: /^(?:subject(?:line|text)|(?:e?mail)subject)$/, field: 'subject', values: anyText },
  {
    names: /^(?:e?mail(?:body|text)|(?:text|plain)body|plaintext)$/,
    field: 'text',
    values: anyText,
  },
  { names: /^(?:htmlbody|bodyhtml|e?mailhtml|htmltext)$/, field: 'html', values: anyText },
  { names: /^(?:body|message)$/, field: 'text', values: anyText, isCommon: true },
  { names: /^(?:e?mail)?template(?:name)?$/, field: 'templateId', values: anyText, isCommon: true },
];

interface Near extends NearName {
  readonly column: string;
}

/**
 * Finds columns of CSV that nothing uses, and that may be meant as fields of an email. `used` are the names that
 * templates take from rows; undefined if that is not known.
 */
export function createNearFields(choices: ColumnChoices, used: ReadonlySet<string> | undefined) {
  const found = new Map<string, string>();
  let near: readonly Near[] = [];
  let last: readonly string[] | undefined;
  return {
    take({ columns, fields, fieldColumns, scope }: ReadableRow): void {
      if (fieldColumns === undefined) return;
      if (columns !== last) {
        last = columns;
        const taken = new Set(fieldColumns.values());
        near = columns.flatMap((column) => {
          if (taken.has(column) || used?.has(column) === true || choices.isIgnored(column))
            return [];
          if (choices.fieldOf(column) !== undefined) return [];
          const one = nearNames.find(({ names }) => names.test(asMeant(column)));
          return one === undefined ? [] : [{ ...one, column }];
        });
      }
      if (near.length === 0) return;
      const values = scope();
      for (const { column, field, values: expected } of near) {
        const text = String(values[column] ?? '').trim();
        if (found.has(column) || fields[field] !== undefined || !expected.test(text)) continue;
        found.set(column, text.slice(0, longestShown));
      }
    },
    /**
     * Throws a `UsageError` for columns that may be meant; returns what is said of those that many files have. With a
     * stored template, these are its variables.
     */
    end(file: string, hasTemplate: boolean, system: ShellSystem): readonly string[] {
      const meant = near.filter(({ column }) => found.has(column));
      const doubtful = meant.filter(({ isCommon }) => isCommon !== true);
      if (doubtful.length > 0) {
        const lines = doubtful.map(
          ({ column, field }) =>
            `${file}: the column ${JSON.stringify(column)} may be meant as ${field}: ${JSON.stringify(found.get(column))}`,
        );
        throw new UsageError(lines.join('\n'), { hint: hintAbout(doubtful, system) });
      }
      if (hasTemplate || used === undefined) return [];
      return meant.map(
        ({ column, field }) =>
          `Nothing uses the column ${JSON.stringify(column)}. If it is meant as ${field}: ${asField({ column, field }, system)}`,
      );
    },
  };
}

/** Characters of a value that a message shows. */
const longestShown = 60;

function asField({ column, field }: Pick<Near, 'column' | 'field'>, system: ShellSystem): string {
  return shellQuote(['--map', `${field}=${column}`], system);
}

function hintAbout(doubtful: readonly Near[], system: ShellSystem): string {
  const ignore = doubtful.flatMap(({ column }) => ['--ignore-column', column]);
  const fields = doubtful.filter(({ field }) => field !== 'attachments');
  return [
    'Nothing was sent.',
    ...(fields.length > 0
      ? [`If it is: ${fields.map((one) => asField(one, system)).join(' ')}`]
      : []),
    ...(fields.length < doubtful.length
      ? [
          'To attach a file to every email: --attach. To attach others to each, write the rows as JSON.',
        ]
      : []),
    `If it is only data: ${shellQuote(ignore, system)}`,
  ].join('\n');
}
