import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { quotedNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { shortened } from '../../base/text/shortened.ts';
import { consentValue, isDenial, isJsonLike, isRefusal, listedParts } from './cell.ts';
import { anyValue, asNamed, type FileColumn, isPartOfNo } from './column.ts';
import { namesReason, saysGone } from './column-name.ts';
import { isOfAnything, isSure, isUndeliverable, meaningIn, rules, undelivered } from './rules.ts';

const maxNames = 6;
/** Characters of a column's name that a message shows. */
const longestName = 100;
/** Characters of a value that a flag names, and of one that a message shows. */
const longestFlag = 100;
const longestNamed = 40;
/** Columns that a message names with their ways out; of more, it shows those of the first ones. */
const mostColumns = 10;
const mostShown = 3;

interface About {
  readonly file: string;
  readonly rows: number;
  readonly system: ShellSystem;
}

/** The error about columns that leave in doubt who wants email, with the flags that settle it. */
export function doubtAbout(columns: readonly FileColumn[], about: About): UsageError {
  const { file, system } = about;
  const sorts = Object.groupBy(columns, (column) => sortOf(column));
  const lines = sortNames.flatMap((sort) => {
    const some = sorts[sort] ?? [];
    const [only, another] = some;
    if (only === undefined) return [];
    if (another === undefined)
      return [`${file}: the column ${inWords(only, about, ` ${says[sort]}`)}.`];
    const named = some.slice(0, mostColumns).map((column) => inWords(column, about));
    return [
      `${file}: ${grouped(some.length)} columns ${says[sort].replace(/^says/, 'say')}:`,
      ...withOverflowCount(named, some.length),
    ];
  });
  const ways = [
    ...columns
      .slice(0, columns.length > mostColumns ? mostShown : mostColumns)
      .flatMap((column) => waysOut(column, system)),
    `If ${columns.length === 1 ? 'it means' : 'all of them mean'} something else: ${ignore(columns, system)}`,
  ];
  return new UsageError(lines.join('\n'), { hint: ['Nothing was sent.', ...ways].join('\n') });
}

const says = {
  unreadable: 'says who wants email, with values that mailer does not understand',
  gone: 'may say that people are gone, or want no email',
  perhaps: 'may say who wants email',
} as const;

type Sort = keyof typeof says;
const sortNames: readonly Sort[] = ['unreadable', 'gone', 'perhaps'];

function sortOf({ kind }: FileColumn): Sort {
  if (isSure(kind) || kind === 'subscribed') return 'unreadable';
  return kind.endsWith('gone') ? 'gone' : 'perhaps';
}

/** The flags that say what a column means; each line works as it stands. */
function waysOut(column: FileColumn, system: ShellSystem): readonly string[] {
  const { name, kind } = column;
  const quoted = JSON.stringify(name);
  const map = (field: string, of: string) => shellQuote(['--map', `${field}=${name}${of}`], system);
  if (sortOf(column) === 'gone') {
    return [
      `If people with a value in ${quoted}, other than no, want no email: ${map('unsubscribed', `:${anyValue}`)}`,
    ];
  }
  const anyMeansNo = `If any value in ${quoted} means that a person does not want email: ${map('unsubscribed', `:${anyValue}`)}`;
  const bad = isUndeliverable(column) ? undelivered(column) : [];
  if (isOfAnything(kind) || bad.length > 0) {
    const denials = denialsIn(column, bad);
    // Other reasons are no more a yes than those that are understood.
    if (column.counts.no !== undefined && (denials.length === 0 || namesReason(name))) {
      return [anyMeansNo];
    }
    if (denials.length === 0) return [];
    const means = denials.length === 1 ? 'means' : 'mean';
    return [
      `If ${quotedNames(denials)} in ${quoted} ${means} that a person does not want email: ${map('unsubscribed', `:${denials.join()}`)}`,
    ];
  }
  const isReadable = (as: 'stated positive' | 'stated inverted') =>
    [...column.values.keys()].every((value) => meaningIn(as, consentValue(value)) !== 'unreadable');
  const named = wanted(column);
  const wants = isReadable('stated positive')
    ? [`If yes in ${quoted} means that a person wants email: ${map('subscribed', '')}`]
    : named.length === 0
      ? []
      : [
          `If only ${quotedNames(named)} in ${quoted} means that a person wants email: ${map('subscribed', `:${named.join()}`)}`,
        ];
  const isInverted = rules[kind].reads === 'inverted';
  const isNo = isReadable('stated inverted');
  const wantsNot = isNo
    ? [`If yes in ${quoted} means that a person does not want email: ${map('unsubscribed', '')}`]
    : isInverted
      ? [anyMeansNo]
      : [];
  if (isInverted) return isSure(kind) || saysGone(name) ? wantsNot : [...wantsNot, ...wants];
  if (wants.length === 0 && rules[kind].reads === 'status') return [anyMeansNo];
  return isSure(kind) || rules[kind].reads === 'status' ? wants : [...wants, ...wantsNot];
}

/** The values that say no, these among them; of lists and of JSON, the parts that do. */
function denialsIn({ values }: FileColumn, bad: readonly string[]): string[] {
  const saysNo = (text: string) => bad.includes(text) || isDenial(text);
  const all = [...values.keys()].flatMap((text) =>
    isNameable(text) ? (saysNo(text) ? text : []) : listedParts(text).filter(isPartOfNo),
  );
  return [...new Set(all)].filter(isNameable);
}

/** In lists and in JSON, what says that a person gets email, and no more. */
const wantedPart = /(^|:)(subscribed|opted[-_ ]?in)$|^e-?mail$/i;

/**
 * The values that say yes, as far as they are understood; else the most frequent word that does not read as a no.
 * The others are taken as no. None if it cannot be named on a command line.
 */
function wanted({ values }: FileColumn): string[] {
  const saysYes = (text: string) => meaningIn('stated positive', consentValue(text)) === 'yes';
  // A number that is not understood is most often the code of a failure.
  const all = [...values].filter(
    ([text]) =>
      isNameable(text) &&
      !isRefusal(text) &&
      (/\p{L}/u.test(text) || (saysYes(text) && !text.startsWith('-'))),
  );
  // A letter or digit may be a code, such as S for somebody who has not confirmed.
  const said = all.filter(([text]) => text.length > 1 && saysYes(text));
  const [first] = all.sort(([, one], [, other]) => other - one);
  const chosen = said.length > 0 ? said.slice(0, maxNames) : first === undefined ? [] : [first];
  const inJson = [...values.keys()].filter(isJsonLike).flatMap(listedParts);
  const parts = [...new Set(inJson)].filter((part) => wantedPart.test(part) && isNameable(part));
  return chosen.length > 0 ? chosen.map(([text]) => text) : parts;
}

/** Whether a value can stand in a list of values on a command line. */
function isNameable(text: string): boolean {
  return (
    text.length <= longestFlag && !(isJsonLike(text) || text.includes(',')) && text.trim() === text
  );
}

function ignore(columns: readonly FileColumn[], system: ShellSystem): string {
  if (columns.length > mostColumns) return 'name the columns that you need, with --only-columns';
  return shellQuote(
    columns.flatMap(({ name }) => ['--ignore-column', name]),
    system,
  );
}

/** A column with its values: those that say no before others. */
function inWords({ name, values, filled }: FileColumn, { rows }: About, about = ''): string {
  const all = [...values].sort(([, one], [, other]) => other - one);
  const first = [
    ...all.filter(([text]) => isDenial(text)),
    ...all.filter(([text]) => !isDenial(text)),
  ];
  const named = first.map(
    ([text, count]) => `${JSON.stringify(shortened(text, longestNamed))} (${grouped(count)})`,
  );
  const list = withOverflowCount(named.slice(0, maxNames), named.length).join(', ');
  const some = filled < rows ? `, in ${grouped(filled)} of ${quantity(rows, 'row')}` : '';
  return `${JSON.stringify(shortened(name, longestName))}${about}: ${list}${some}`;
}

/**
 * Throws a `UsageError` if a column says who wants email, and came too late for the rows before it: in JSON, where
 * programs leave out a field without a value.
 */
export function refuseLate(columns: readonly FileColumn[], file: string): void {
  const late = columns.find(
    (column) =>
      column.earlier > 0 &&
      rules[column.kind].reads === 'positive' &&
      rules[column.kind].decides(column),
  );
  if (late === undefined) return;
  throw new UsageError(
    `${file}: the first ${quantity(late.earlier, 'row')} ${late.earlier === 1 ? 'has' : 'have'} no ${JSON.stringify(late.name)}, which says who wants email.`,
    {
      hint: `Nothing was sent. If these people did not say, write ${JSON.stringify(late.name)}: null in the first row.`,
    },
  );
}

/**
 * Throws a `UsageError` if no row has a value that the command line names, and another one may be meant. Codes of a list
 * that is exported every week need not all be in each file.
 */
export function refuseUnseenValues(columns: readonly FileColumn[], file: string): void {
  for (const { name, values, namedValues, seenNamed } of columns) {
    const unseen = namedValues.filter((value) => !seenNamed.has(asNamed(value)));
    for (const value of unseen) {
      const meant = value.length > 3 ? nearest(value, [...values.keys()]) : undefined;
      if (meant === undefined && unseen.length < namedValues.length) continue;
      const has = quotedNames([...values.keys()].slice(0, maxNames));
      throw new UsageError(
        `--map: the column ${JSON.stringify(name)} of ${file} has no value ${JSON.stringify(value)}`,
        {
          hint: `Nothing was sent. ${meant === undefined ? `It has: ${has}` : `Do you mean ${JSON.stringify(meant)}?`}`,
        },
      );
    }
  }
}
