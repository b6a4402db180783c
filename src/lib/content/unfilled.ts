import { positionsIn } from '../../shared/check/positions.ts';
import { placeholdersIn } from '../../shared/placeholders.ts';
import { withMore } from '../text/quoted-names.ts';
import { visible } from '../text/visible.ts';

/** A placeholder that nothing has filled in yet. */
export interface Unfilled {
  /** The flag or the field that has it. */
  readonly place: string;
  /** Its line there, if it is known and the text may have more than one. */
  readonly line?: number | undefined;
  readonly written: string;
  /** Whether it is in an address or a header, where no value is ever filled in. */
  readonly isFixed?: true;
}

/** The placeholders in a text of this place, except in code. A `line` is a text without line breaks. */
export function unfilledIn(
  place: string,
  text: unknown,
  format: 'html' | 'text' | 'line',
): readonly Unfilled[] {
  // What is in a request's file is not checked yet.
  if (typeof text !== 'string') return [];
  const positionOf = positionsIn(text);
  const isLine = format === 'line';
  return placeholdersIn(text, isLine ? 'text' : format).map(({ written, at }) => ({
    ...{ place, written, line: isLine ? undefined : positionOf(at).line },
  }));
}

/** The placeholders in templates that no value can fill in, because an editor has encoded them in a link. */
export function encodedIn(
  templates: readonly ({ readonly flag: string; readonly source: string } | undefined)[],
): readonly Unfilled[] {
  return templates.flatMap((one) =>
    unfilledIn(one?.flag ?? '', one?.source, 'html').filter(({ written }) =>
      written.startsWith('%7'),
    ),
  );
}

const envelopeFields = ['from', 'to', 'replyTo', 'cc', 'bcc'] as const;

/** The placeholders in the addresses and headers of an email or a campaign, whose fields are not checked yet. */
export function unfilledInEnvelope(
  fields: { readonly [field in (typeof envelopeFields)[number] | 'headers']?: unknown },
  placeOf: (field: string) => string,
): readonly Unfilled[] {
  const { headers } = fields;
  const values = [
    ...envelopeFields.map((field) => [field, fields[field]] as const),
    ['headers', headers === null || typeof headers !== 'object' ? [] : Object.values(headers)],
  ] as const;
  return values.flatMap(([field, value]) =>
    [value]
      .flat()
      .flatMap((text) =>
        typeof text === 'string' && text.includes('{')
          ? unfilledIn(placeOf(field), text, 'line').map(
              (one) => ({ ...one, isFixed: true }) as const,
            )
          : [],
      ),
  );
}

/** Placeholders with their places, one per line; each is named once per place. */
export function unfilledLines(all: readonly Unfilled[]): readonly string[] {
  const seen = new Set<string>();
  const first = all.filter(
    ({ place, written }) => seen.size !== seen.add(`${place} ${written}`).size,
  );
  return placedLines(first, ({ written }) => written.replace(/\s+/g, ' '));
}

/** What is wrong with texts that an error names, at most. */
const mostShown = 10;

/** Indented lines, each with a place and what is there. */
export function placedLines<One extends Pick<Unfilled, 'place' | 'line'>>(
  all: readonly One[],
  inWords: (one: One) => string,
): readonly string[] {
  const lines = all.map((one) => {
    const where = one.line === undefined ? one.place : `${one.place}, line ${one.line}`;
    return `${visible(where)}: ${visible(inWords(one))}`;
  });
  return withMore(lines.slice(0, mostShown), lines.length).map((line) => `  ${line}`);
}
