import { positionsIn } from '../../shared/check/positions.ts';
import { placeholdersIn } from '../../shared/placeholders.ts';
import { grouped } from '../text/quantity.ts';
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

/** Placeholders that an error names. */
const mostShown = 10;

/** Placeholders with their places, one per line; each is named once per place. */
export function unfilledLines(all: readonly Unfilled[]): readonly string[] {
  const seen = new Set<string>();
  const first = all.filter(
    ({ place, written }) => seen.size !== seen.add(`${place} ${written}`).size,
  );
  const lines = first.map(({ place, line, written }) => {
    const where = line === undefined ? place : `${place}, line ${line}`;
    return `  ${visible(where)}: ${visible(written.replace(/\s+/g, ' '))}`;
  });
  const left = lines.length - mostShown;
  return left > 0 ? [...lines.slice(0, mostShown), `  and ${grouped(left)} more`] : lines;
}
