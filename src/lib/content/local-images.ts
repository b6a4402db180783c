import { basename } from 'node:path';
import { positionsIn } from '../../shared/check/positions.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import type { BodySource } from './source.ts';

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
  const [{ imagesIn, whyLocal }, { readDocument }] = await Promise.all([
    import('../../shared/check/image-places.ts'),
    import('../../shared/check/document.ts'),
  ]);
  const positionOf = positionsIn(html);
  return imagesIn(readDocument(html)).flatMap(({ url, at }) => {
    const why = whyLocal(url);
    return why === undefined ? [] : [{ place, why, line: positionOf(at).line + linesBefore }];
  });
}

/** The same in a body as it is written, and in its layout. Of a component, only its HTML tells: see `made`. */
export async function localImagesOf(
  { format, body, layout, linesBefore, path, flag }: BodySource,
  made?: string,
): Promise<readonly LocalImage[]> {
  const place = flag === '--html' ? flag : basename(path);
  if (format === 'react') return withoutLines(await localImagesIn(place, made));
  const ofLayout = await localImagesIn('--layout', layout);
  if (format !== 'markdown') return await localImagesIn(place, body, linesBefore);
  if (!mayLoad.test(body)) return ofLayout;
  const { htmlOfMarkdown } = await import('./markdown.ts');
  const { imagesIn, whyLocal } = await import('../../shared/check/image-places.ts');
  const { readDocument } = await import('../../shared/check/document.ts');
  const positionOf = positionsIn(body);
  const ofBody = imagesIn(readDocument(htmlOfMarkdown(body))).flatMap((image) => {
    // Blanks and braces are encoded.
    const url = decoded(image.url);
    const why = whyLocal(url);
    if (why === undefined) return [];
    const at = Math.max(body.indexOf(url), body.indexOf(image.url));
    return [{ place, why, line: at === -1 ? undefined : positionOf(at).line + linesBefore }];
  });
  return [...ofBody, ...ofLayout];
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

function withoutLines(all: readonly LocalImage[]): readonly LocalImage[] {
  return all.map(({ place, why }) => ({ place, why }));
}

/** Images that an error names. */
const mostShown = 10;

/** The images, one per line. */
export function localImageLines(all: readonly LocalImage[]): readonly string[] {
  const lines = all.map(({ place, line, why }) => {
    const where = line === undefined ? place : `${place}, line ${line}`;
    return `  ${visible(where)}: ${visible(why)}`;
  });
  const left = lines.length - mostShown;
  return left > 0 ? [...lines.slice(0, mostShown), `  and ${left} more`] : lines;
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
