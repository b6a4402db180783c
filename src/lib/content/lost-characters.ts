import { positionsIn } from '../../shared/check/positions.ts';
import { UsageError } from '../errors.ts';
import { placedLines } from './unfilled.ts';

/**
 * U+FFFD, which a program writes in place of characters that it could not read, or what becomes of € and ’ of Excel if
 * they are read as latin1: control characters that nobody sees.
 */
const lost = /[\ufffd\u0080-\u009f]/;

/** Characters around it that a message shows. */
const around = 20;

/** A text with lost characters, and where it is. */
interface LostCharacters {
  readonly place: string;
  /** Only of a text with lines. */
  readonly line?: number | undefined;
  /** A part of the text. */
  readonly excerpt: string;
}

/** The first place in a text, of which some lines come before it. Anything else than a text has none. */
export function lostCharactersIn(
  place: string,
  text: unknown,
  linesBefore = 0,
): readonly LostCharacters[] {
  if (typeof text !== 'string') return [];
  const at = text.search(lost);
  if (at === -1) return [];
  const line = positionsIn(text)(at).line + linesBefore;
  const before = text.slice(Math.max(0, at - around), at).replace(/^.*\n/s, '');
  const after = text.slice(at, at + around).replace(/[\r\n].*$/s, '');
  const isLined = linesBefore > 0 || /[\r\n]/.test(text);
  return [{ place, line: isLined ? line : undefined, excerpt: before + after }];
}

/** The same in the fields of a request, also in lists and in the values for a template, but not in files. */
export function lostCharactersOf(
  fields: object,
  placeOf: (field: string) => string,
): readonly LostCharacters[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    textsIn(field === 'attachments' ? [value].flat().map((one) => one?.filename) : value).flatMap(
      (text) => lostCharactersIn(placeOf(field), text),
    ),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The texts, one per line. */
export function lostCharacterLines(all: readonly LostCharacters[]): readonly string[] {
  return placedLines(all, ({ excerpt }) => JSON.stringify(excerpt));
}

/** What lost characters were replaced by. */
export function replacing(all: readonly LostCharacters[]): string {
  const isMarked = all.every(({ excerpt }) => excerpt.includes('\ufffd'));
  return isMarked ? 'U+FFFD' : 'invisible ones';
}

/** Throws a `UsageError` for texts whose characters were lost before they came here. */
export function refuseLostCharacters(all: readonly LostCharacters[], nothing: string): void {
  if (all.length === 0) return;
  throw new UsageError(
    `Characters were lost here and replaced by ${replacing(all)}:\n${lostCharacterLines(all).join('\n')}`,
    {
      hint: `${nothing} Another program read the text in the wrong charset: use an undamaged copy. To send it as it is, add --literal.`,
    },
  );
}
