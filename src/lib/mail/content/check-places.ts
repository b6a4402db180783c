import type { FoundAt } from '../../../shared/check/collect.ts';
import { type EmailFinding, placed, type TextPlace } from '../../../shared/check/finding.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { positionsIn } from '../../../shared/check/positions.ts';
import type { BodySource } from './source.ts';
import type { SourcePlace } from './source-places.ts';

/** Where the parts of an email are written. */
export interface WrittenParts {
  readonly email: MessageContent;
  /** Undefined if a request, a message or a text is checked. */
  readonly source: BodySource | undefined;
  /** The files of the body and of its layout, as the command line names them. */
  readonly files: Readonly<Partial<Record<SourcePlace['part'], string>>>;
  /** The HTML made of the source with its marks; undefined if the HTML is the source itself. */
  readonly marked: (() => Promise<string>) | undefined;
  /** Whether positions in the text part mean something: it is written, not generated. */
  readonly hasOwnText: boolean;
}

/** Finds where the findings about an email are written. What is made for that is made once, when it is needed. */
export function createPlaces(parts: WrittenParts): (found: FoundAt) => Promise<EmailFinding> {
  const { email, source, files, hasOwnText } = parts;
  let ofSource: Promise<(at: number) => SourcePlace | undefined> | undefined;
  const inSource = async (at: number) => {
    ofSource ??= placesOf(parts);
    return (await ofSource)(at);
  };
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
    if (parts.marked === undefined) {
      const { line, column } = positionsIn(html)(at);
      return { line: line + source.linesBefore, column };
    }
    const { part, ...place } = (await inSource(at)) ?? { part: 'body' };
    return { ...place, ...ofFile(files[part]) };
  };
  return async (found) => placed(found, await placeOf(found));
}

function ofFile(file: string | undefined) {
  return file === undefined ? {} : { file };
}

async function placesOf({ email, source, marked }: WrittenParts) {
  const { html = '' } = email;
  // The marks may be in the way of a converter, or of a template.
  const withMarks = await marked?.().catch(() => '');
  if (source === undefined || !withMarks) return () => undefined;
  const { placesIn } = await import('./source-places.ts');
  return placesIn(source, html, withMarks);
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
