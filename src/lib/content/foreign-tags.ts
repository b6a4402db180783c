import { positionsIn } from '../../shared/check/positions.ts';
import { foreignTagsIn } from '../../shared/foreign-tags.ts';
import { UsageError } from '../errors.ts';
import type { Notes } from '../terminal/notes.ts';
import type { BodySource } from './source.ts';
import { type Unfilled, unfilledLines } from './unfilled.ts';

/** A merge tag of another service, which is sent as it is written. */
export interface Foreign extends Unfilled {
  /** Whether it cannot be anything else. */
  readonly isCertain: boolean;
}

/** The merge tags of other services in a text of this place, except in code. A `line` is a text without line breaks. */
export function foreignIn(
  place: string,
  text: unknown,
  format: 'html' | 'text' | 'line',
  linesBefore = 0,
): readonly Foreign[] {
  if (typeof text !== 'string') return [];
  const isLine = format === 'line';
  const positionOf = positionsIn(text);
  return foreignTagsIn(text, isLine ? 'text' : format).map(({ written, at, isCertain }) => ({
    ...{ place, written, isCertain },
    line: isLine ? undefined : positionOf(at).line + linesBefore,
  }));
}

/** Those that cannot be anything else. */
export function certainlyForeignIn(...given: Parameters<typeof foreignIn>): readonly Foreign[] {
  return foreignIn(...given).filter(({ isCertain }) => isCertain);
}

/** Those in a body as it is written: what is made of Markdown no longer has the stars of a tag. */
export function foreignInSource(source: BodySource | undefined, made: unknown): readonly Foreign[] {
  if (source === undefined) return [];
  const { flag, body, layout, front, format, name, linesBefore } = source;
  return [
    ...foreignIn(`${name}: previewText`, front.previewText, 'line'),
    ...(format === 'react'
      ? foreignIn(flag, made, 'html')
      : foreignIn(flag, body, format === 'markdown' ? 'text' : 'html', linesBefore)),
    ...foreignIn('--layout', layout, 'html'),
  ];
}

/**
 * Warns of merge tags of other services, which recipients would read. Throws a `UsageError` if some are certain.
 */
export function refuseForeign(found: readonly Foreign[], notes: Pick<Notes, 'warn'>): void {
  const certain = found.filter(({ isCertain }) => isCertain);
  if (certain.length > 0) {
    const these = certain.length === 1 ? 'this placeholder' : 'these placeholders';
    throw new UsageError(
      `Nothing fills in ${these} of another service:\n${unfilledLines(certain).join('\n')}`,
      {
        hint: 'Nothing was sent. Placeholders of mailer are {{ name }}. To send the email as it is written, add --literal.',
      },
    );
  }
  if (found.length === 0) return;
  notes.warn(
    'This looks like a placeholder of another service or program, and is sent as it is written:',
    ...unfilledLines(found),
  );
}
