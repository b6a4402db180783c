import type { FoundAt } from '../../../shared/check/collect.ts';
import { type EmailFinding, placed, type TextPlace } from '../../../shared/check/finding.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { positionsIn } from '../../../shared/check/positions.ts';
import type { BodySource } from './source.ts';
import type { SourcePlace } from './source-places.ts';

/** Where the parts of an email are written. */
interface WrittenParts {
  /** Undefined if a request, a message or a text is checked. */
  readonly source: BodySource | undefined;
  /** The HTML of a source, made like that of the email. */
  readonly htmlOf: (source: BodySource) => Promise<string | undefined>;
  /** Whether the HTML is not the source itself even if both are equal. */
  readonly isMade?: boolean;
  /** Whether positions in the text part mean something: it is written, not generated. */
  readonly hasOwnText: boolean;
}

/** Finds where the findings about an email are written. */
export type Places = (email: MessageContent) => (found: FoundAt) => Promise<EmailFinding>;

/** Finds the places of what is written. What is made for that is made once for an email, when it is needed. */
export function createPlaces(parts: WrittenParts): Places {
  return (email) => placesOf(parts, email);
}

function placesOf(parts: WrittenParts, email: MessageContent): ReturnType<Places> {
  const { source, hasOwnText, isMade = false } = parts;
  const files = source?.files ?? {};
  let ofSource: Promise<(at: number) => SourcePlace | undefined> | undefined;
  const placeOf = async ({ where, at, atWritten }: FoundAt): Promise<TextPlace> => {
    if (source !== undefined && atWritten !== undefined) {
      const { line, column } = positionsIn(source.body)(atWritten);
      return { line: line + source.linesBefore, column, ...ofFile(files.body) };
    }
    if (where === 'subject' || where === 'preview') return lineOfField(source, where, files.body);
    if (at === undefined) return {};
    if (where === 'text') return hasOwnText ? positionsIn(email.text ?? '')(at) : {};
    if (where !== 'html') return {};
    const { html = '' } = email;
    if (source === undefined || source.format === 'react') return positionsIn(html)(at);
    if (!isMade && source.body === html) {
      const { line, column } = positionsIn(html)(at);
      return { line: line + source.linesBefore, column };
    }
    ofSource ??= placesInSource(source, html, parts.htmlOf);
    const { part, ...place } = (await ofSource)(at) ?? { part: 'body' };
    return { ...place, ...ofFile(files[part]) };
  };
  return async (found) => placed(found, await placeOf(found));
}

function ofFile(file: string | undefined) {
  return file === undefined ? {} : { file };
}

async function placesInSource(source: BodySource, html: string, htmlOf: WrittenParts['htmlOf']) {
  const [{ withMarks }, { placesIn }] = await Promise.all([
    import('./source-marks.ts'),
    import('./source-places.ts'),
  ]);
  // The marks may be in the way of a converter, or of a template.
  const marked = await htmlOf(withMarks(source)).catch(() => undefined);
  return marked ? placesIn(source, html, marked) : () => undefined;
}

/** The line of the front matter that gives the subject or the preview text. */
function lineOfField(
  source: BodySource | undefined,
  where: 'subject' | 'preview',
  file: string | undefined,
): TextPlace {
  const field = where === 'subject' ? /^["']?subject["']?\s*:/ : /^["']?previewText["']?\s*:/;
  const index = source?.head.split(/\r\n|\n|\r/).findIndex((line) => field.test(line)) ?? -1;
  if (index === -1) return {};
  return { line: index + 1, column: 1, ...ofFile(file) };
}
