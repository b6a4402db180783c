import { UsageError } from '../errors.ts';
import { grouped } from '../text/quantity.ts';
import { withMore } from '../text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../text/shell-quote.ts';
import { isDenial } from './consent-value.ts';

/** A column that may say who wants email, or that says so in words that cannot be read. */
export interface DoubtfulColumn {
  readonly name: string;
  readonly isUnreadable: boolean;
  /** Whether its name rather asks whether a person does not want email. */
  readonly isInverted: boolean;
  /** Its values as written, with how often. */
  readonly values: ReadonlyMap<string, number>;
}

const mostNamed = 6;
/** Columns that a message names. */
const mostColumns = 10;

/** The error about columns that leave in doubt who wants email, with the flags that settle it. */
export function doubtAbout(
  columns: readonly DoubtfulColumn[],
  file: string,
  system: ShellSystem,
): UsageError {
  const unreadable = columns.filter((one) => one.isUnreadable);
  const perhaps = columns.filter((one) => !one.isUnreadable);
  const lines = [
    ...unreadable.map(
      (one) =>
        `${file}: the column ${inWords(one, ' says who wants email, but mailer does not understand all of its values')}.`,
    ),
    ...(perhaps.length > 1
      ? [
          `${file}: ${grouped(perhaps.length)} columns may say who wants email:`,
          ...withMore(
            perhaps.slice(0, mostColumns).map((one) => inWords(one)),
            perhaps.length,
          ),
        ]
      : perhaps.map((one) => `${file}: the column ${inWords(one, ' may say who wants email')}.`)),
  ];
  const ways = [
    ...unreadable.flatMap((one) => [
      `If ${JSON.stringify(one.name)} does say who wants email, write yes or no in each row.`,
      `If it means something else: ${ignore([one], system)}`,
    ]),
    ...(perhaps.length > 0 ? waysOut(perhaps, system) : []),
  ];
  return new UsageError(lines.join('\n'), { hint: ['Nothing was sent.', ...ways].join('\n') });
}

/** One flag for one of the columns settles the others, too. */
function waysOut(perhaps: readonly DoubtfulColumn[], system: ShellSystem): readonly string[] {
  const [only, another] = perhaps;
  const isOne = another === undefined;
  const column = isOne ? only?.name : 'COLUMN';
  const yes = isOne ? 'If yes means' : 'If yes in one of them means';
  const ways = [
    `${yes} that a person wants email: ${shellQuote(['--map', `subscribed=${column}`], system)}`,
    `${yes} that a person does not want email: ${shellQuote(['--map', `unsubscribed=${column}`], system)}`,
  ];
  const rest = `If ${isOne ? 'it means' : 'all of them mean'} something else: ${ignore(perhaps, system)}`;
  return [...(isOne && only?.isInverted === true ? ways.reverse() : ways), rest];
}

function ignore(columns: readonly DoubtfulColumn[], system: ShellSystem): string {
  if (columns.length > mostColumns) return '--ignore-column COLUMN, for each';
  return shellQuote(
    columns.flatMap(({ name }) => ['--ignore-column', name]),
    system,
  );
}

/** A column with its values: those that say no before others. */
function inWords({ name, values }: DoubtfulColumn, about = ''): string {
  const all = [...values];
  const first = [
    ...all.filter(([text]) => isDenial(text)),
    ...all.filter(([text]) => !isDenial(text)),
  ];
  const named = first.map(([text, count]) => `${JSON.stringify(text)} (${grouped(count)})`);
  const list = withMore(named.slice(0, mostNamed), named.length).join(', ');
  return `${JSON.stringify(name)}${about}: ${list}`;
}
