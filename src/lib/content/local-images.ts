import { basename } from 'node:path';
import { positionsIn } from '../../shared/check/positions.ts';
import { UsageError } from '../errors.ts';
import { decodedUrl } from '../text/decoded.ts';
import { sourcesInDocument } from './editor-document.ts';
import type { BodySource } from './source.ts';
import { placedLines } from './unfilled.ts';

/** An image that recipients cannot load, and where it is written. */
interface LocalImage {
  readonly place: string;
  readonly line?: number | undefined;
  /** The image and why, as the end of a sentence. */
  readonly why: string;
}

/** What may have an image. Without it, nothing is loaded to look for one. */
const mayLoad = /\b(?:src|srcset|background|poster)\b|url\(|!\[/i;

/** The images in HTML that only this machine can load, with their lines, of which some come before it. */
export async function localImagesIn(
  place: string,
  html: unknown,
  linesBefore = 0,
): Promise<readonly LocalImage[]> {
  if (typeof html !== 'string' || !mayLoad.test(html)) return [];
  const { imagesIn, whyLocal, base } = await readImages(html);
  const positionOf = positionsIn(html);
  return imagesIn.flatMap(({ url, at }) => {
    const why = whyLocal(url, base);
    return why === undefined ? [] : [{ place, why, line: positionOf(at).line + linesBefore }];
  });
}

/**
 * The same in a body as it is written, and in its layout. Of a component, and of URLs that values begin, only the
 * HTML tells: see `made`.
 */
export async function localImagesOf(
  source: BodySource,
  made?: string,
): Promise<readonly LocalImage[]> {
  const { format, body, layout, linesBefore, path, flag } = source;
  const place = flag === '--html' ? flag : basename(path);
  const ofMade = async () => withoutLines(await localImagesIn(place, made));
  if (format === 'react') return await ofMade();
  const ofLayout = await localImagesIn('--layout', layout);
  const ofBody =
    format === 'markdown'
      ? await localImagesInMarkdown(source, place)
      : await localImagesIn(place, body, linesBefore);
  const found = [...ofBody, ...ofLayout];
  return found.length === 0 && hasImagesOfValues(source) ? await ofMade() : found;
}

async function localImagesInMarkdown(
  { body, layout, linesBefore }: BodySource,
  place: string,
): Promise<readonly LocalImage[]> {
  if (!mayLoad.test(body)) return [];
  const { htmlOfMarkdown } = await import('./markdown.ts');
  const { imagesIn, whyLocal, base } = await readImages(htmlOfMarkdown(body), layout);
  const positionOf = positionsIn(body);
  return imagesIn.flatMap((image) => {
    // Blanks and braces are encoded.
    const url = decodedUrl(image.url);
    const why = whyLocal(url, base);
    if (why === undefined) return [];
    const at = Math.max(body.indexOf(url), body.indexOf(image.url));
    return [{ place, why, line: at === -1 ? undefined : positionOf(at).line + linesBefore }];
  });
}

/** The images of HTML, and what their relative URLs begin with, which may be in the HTML around it. */
async function readImages(html: string, around = '') {
  const [{ baseIn, imagesIn, whyLocal }, { readDocument }] = await Promise.all([
    import('../../shared/check/image-places.ts'),
    import('../../shared/check/document.ts'),
  ]);
  const document = readDocument(html);
  const base = baseIn(document) ?? baseIn(readDocument(around));
  return { imagesIn: imagesIn(document), whyLocal, base };
}

/** A value or a condition at the beginning of an image's URL. */
const imageOfValue =
  /\b(?:src|srcset|background|poster|background-url)\s*=\s*["']?\s*\{[{%]|url\(\s*["']?\s*\{[{%]|!\[[^\]]{0,1000}\]\(\s*<?\{[{%]/i;

/** Whether values decide where images are: those of a component, or those that begin a URL. */
export function hasImagesOfValues({ format, body, layout = '' }: BodySource): boolean {
  return format === 'react' || imageOfValue.test(body) || imageOfValue.test(layout);
}

/** The images that only this machine can load in a document of the dashboard's editor (JSON). */
export async function localImagesInDocument(
  place: string,
  content: unknown,
): Promise<readonly LocalImage[]> {
  if (typeof content !== 'string') return [];
  const { whyLocal } = await import('../../shared/check/image-places.ts');
  return sourcesInDocument(content).flatMap((url) => {
    const why = url.trim() === '' ? undefined : whyLocal(url.trim());
    return why === undefined ? [] : [{ place, why }];
  });
}

function withoutLines(all: readonly LocalImage[]): readonly LocalImage[] {
  return all.map(({ place, why }) => ({ place, why }));
}

/** The images, one per line. */
export function localImageLines(all: readonly LocalImage[]): readonly string[] {
  return placedLines(all, ({ why }) => why);
}

/** What else can be done about images where attachments are possible. */
const orAttach = ', or attach the files with --attach';

/** Throws a `UsageError` for images that recipients cannot load. */
export function refuseLocalImages(
  all: readonly LocalImage[],
  nothing: 'Nothing was sent.' | 'Nothing was created.',
): void {
  if (all.length === 0) return;
  const these = all.length === 1 ? 'this image' : 'these images';
  const also = nothing === 'Nothing was sent.' ? orAttach : '';
  throw new UsageError(`Recipients cannot load ${these}:\n${localImageLines(all).join('\n')}`, {
    hint: `${nothing} Put the files on a web server and write their https URLs${also}. To keep them as they are written, add --literal.`,
  });
}
