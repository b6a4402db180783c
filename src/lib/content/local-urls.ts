import { basename } from 'node:path';
import { attempt } from '../../shared/attempt.ts';
import { positionsIn } from '../../shared/check/positions.ts';
import type { Context } from '../command/context.ts';
import { UsageError } from '../errors.ts';
import { isLoopback } from '../http/network/base-url.ts';
import { decodedUrl } from '../text/decoded.ts';
import { urlsInDocument } from './editor-document.ts';
import type { BodySource } from './source.ts';
import { placedLines } from './unfilled.ts';

/** An image that recipients cannot load, or a link that they cannot open, and where it is written. */
export interface LocalUrl {
  readonly place: string;
  readonly line?: number | undefined;
  /** The URL and why, as the end of a sentence. */
  readonly why: string;
  readonly isLink: boolean;
  /** Whether a program on this machine may serve it, as while an application is developed. */
  readonly isServed: boolean;
}

/** What may have an image. Without it, and without a link that may be local, nothing is loaded to look for one. */
const mayLoad = /\b(?:src|srcset|background|poster)\b|url\(/i;

/** The rules, which no help page needs. */
const rules = async () => await import('../../shared/check/why-local.ts');

async function mayLink(html: string): Promise<boolean> {
  if (!/\bhref\b/i.test(html)) return false;
  const { whyLocalLink } = await rules();
  const hrefs = html.matchAll(/\bhref\s*=\s*["']?\s*([^"'\s>]*)/gi);
  return [...hrefs].some(([, href = '']) => whyLocalLink(href) !== undefined);
}

/** The images and links in HTML that only this machine can open, with their lines, of which some come before it. */
export async function localUrlsIn(
  place: string,
  html: unknown,
  linesBefore = 0,
): Promise<readonly LocalUrl[]> {
  if (typeof html !== 'string' || !(mayLoad.test(html) || (await mayLink(html)))) return [];
  const positionOf = positionsIn(html);
  return (await readUrls(html)).flatMap(({ url, at, isLink, whyOf }) =>
    localUrl({ place, line: positionOf(at).line + linesBefore, url, isLink }, whyOf(url)),
  );
}

/**
 * The same in a body as it is written, and in its layout. Of a component, and of URLs that values begin, only the
 * HTML tells: see `made`.
 */
export async function localUrlsOf(source: BodySource, made?: string): Promise<readonly LocalUrl[]> {
  const { format, body, layout, linesBefore, path, flag } = source;
  const place = flag === '--html' ? flag : basename(path);
  const ofMade = async () => withoutLines(await localUrlsIn(place, made));
  if (format === 'react') return await ofMade();
  const ofLayout = await localUrlsIn('--layout', layout);
  const ofBody =
    format === 'markdown'
      ? await localUrlsInMarkdown(source, place)
      : await localUrlsIn(place, body, linesBefore);
  const found = [...ofBody, ...ofLayout];
  return found.length === 0 && hasUrlsOfValues(source) ? await ofMade() : found;
}

async function localUrlsInMarkdown(
  { body, layout, linesBefore }: BodySource,
  place: string,
): Promise<readonly LocalUrl[]> {
  if (!/\]\(|\]:|:\/\//.test(body) && !mayLoad.test(body) && !(await mayLink(body))) return [];
  const { htmlOfMarkdown } = await import('./markdown.ts');
  const positionOf = positionsIn(body);
  return (await readUrls(htmlOfMarkdown(body), layout)).flatMap((one) => {
    // Blanks and braces are encoded.
    const url = decodedUrl(one.url);
    const at = Math.max(body.indexOf(url), body.indexOf(one.url));
    const line = at === -1 ? undefined : positionOf(at).line + linesBefore;
    return localUrl({ place, line, url, isLink: one.isLink }, one.whyOf(url));
  });
}

/** The images and links of HTML. What relative URLs begin with may be in the HTML around it. */
async function readUrls(html: string, around = '') {
  const [{ whyLocal, whyLocalLink }, { baseIn, imagesIn }, { readDocument }] = await Promise.all([
    rules(),
    import('../../shared/check/image-places.ts'),
    import('../../shared/check/document.ts'),
  ]);
  const document = readDocument(html);
  const base = baseIn(document) ?? baseIn(readDocument(around));
  const links = document.elements.flatMap(({ name, attributes }) => {
    const href = linking.test(name) ? attributes.get('href') : undefined;
    return href === undefined ? [] : [{ url: href.value.trim(), at: href.at }];
  });
  return [
    ...imagesIn(document).map((one) => ({
      ...{ ...one, isLink: false },
      whyOf: (url: string) => whyLocal(url, base),
    })),
    ...links.map((one) => ({
      ...{ ...one, isLink: true },
      whyOf: (url: string) => whyLocalLink(url, base),
    })),
  ];
}

/** Elements of HTML and of MJML with links. Those of a navbar may have a base of their own. */
const linking = /^(?:a|area|mj-(?!navbar).*)$/;

function localUrl(
  { url, ...one }: Omit<LocalUrl, 'why' | 'isServed'> & { readonly url: string },
  why: string | undefined,
): readonly LocalUrl[] {
  return why === undefined ? [] : [{ ...one, why, isServed: /^https?:/i.test(url) }];
}

/** A value or a condition at the beginning of a URL. */
const urlOfValue =
  /\b(?:src|srcset|background|poster|background-url|href)\s*=\s*["']?\s*(?:https?:\/\/)?\{[{%]|url\(\s*["']?\s*\{[{%]|\]\(\s*<?(?:https?:\/\/)?\{[{%]/i;

/** Whether values decide where images and links lead: those of a component, or those that begin a URL. */
export function hasUrlsOfValues({ format, body, layout = '' }: BodySource): boolean {
  return format === 'react' || urlOfValue.test(body) || urlOfValue.test(layout);
}

/** The images and links that only this machine can open in a document of the dashboard's editor (JSON). */
export async function localUrlsInDocument(
  place: string,
  content: unknown,
): Promise<readonly LocalUrl[]> {
  if (typeof content !== 'string') return [];
  const { whyLocal, whyLocalLink } = await rules();
  const { images, links } = urlsInDocument(content);
  return [
    ...images.flatMap((url) =>
      localUrl({ place, url, isLink: false }, url === '' ? undefined : whyLocal(url)),
    ),
    ...links.flatMap((url) => localUrl({ place, url, isLink: true }, whyLocalLink(url))),
  ];
}

function withoutLines(all: readonly LocalUrl[]): readonly LocalUrl[] {
  return all.map((one) => ({ ...one, line: undefined }));
}

/** Warns of links in a text, which shows where they lead. */
export async function warnOfLocalLinks(
  place: string,
  text: unknown,
  notes: Pick<Context['notes'], 'warn'>,
): Promise<void> {
  if (typeof text !== 'string' || !/https?:\/\//i.test(text)) return;
  const [{ linksInText }, { whyLocalLink }] = await Promise.all([
    import('../../shared/check/links-of.ts'),
    rules(),
  ]);
  const positionOf = positionsIn(text);
  const found = linksInText(text).flatMap(({ href, at }) =>
    localUrl({ place, line: positionOf(at).line, url: href, isLink: true }, whyLocalLink(href)),
  );
  if (found.length > 0) notes.warn(...aboutLinks(found));
}

/** The images and links, one per line. */
export function localUrlLines(all: readonly LocalUrl[]): readonly string[] {
  return placedLines(all, ({ why }) => why);
}

/**
 * Whether these are links that stop nothing, because the service, such as the sandbox, is on this machine: they may lead
 * to an application that is being tried out.
 */
export async function areTriedOut(
  all: readonly LocalUrl[],
  { flags, account }: Pick<Context, 'flags' | 'account'>,
): Promise<boolean> {
  if (!all.every(({ isLink, isServed }) => isLink && isServed)) return false;
  if (flags.sandbox === true) return true;
  const used = await account();
  const baseUrl = attempt(() => used.baseUrl, undefined);
  return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
}

/** What is said of links that stop nothing. */
export function aboutLinks(all: readonly LocalUrl[]): readonly [string, ...string[]] {
  const these = all.length === 1 ? 'this link' : 'these links';
  return [`Recipients cannot open ${these}:`, ...localUrlLines(all)];
}

/** What else can be done about images where attachments are possible. */
const orAttach = ', or attach the files with --attach';

/**
 * Throws a `UsageError` for images that recipients cannot load, and for links that they cannot open. If the service is on
 * this machine, it warns of links that may lead to an application on this machine, too.
 */
export async function refuseLocalUrls(
  all: readonly LocalUrl[],
  nothing: string,
  context: Pick<Context, 'flags' | 'account' | 'notes'>,
): Promise<void> {
  const images = all.filter(({ isLink }) => !isLink);
  if (images.length > 0) {
    const these = images.length === 1 ? 'this image' : 'these images';
    const also = nothing === 'Nothing was sent.' ? orAttach : '';
    throw new UsageError(`Recipients cannot load ${these}:\n${localUrlLines(images).join('\n')}`, {
      hint: `${nothing} Put the files on a web server and write their https URLs${also}. To keep them as they are written, add --literal.`,
    });
  }
  if (all.length === 0) return;
  const lines = aboutLinks(all);
  if (await areTriedOut(all, context)) return context.notes.warn(...lines);
  throw new UsageError(lines.join('\n'), {
    hint: `${nothing} Write the https URLs that everybody can open. To keep them as they are written, add --literal.`,
  });
}
