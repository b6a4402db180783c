import { html } from 'hono/html';
import { hasRemoteImages } from '../../../shared/remote-images.ts';
import type { Html } from '../page/html.ts';
import { searchOf } from './list-view.ts';
import type { ListPosition } from './listed-messages.ts';
import { frameSandbox } from './mail-document.ts';

/** The widths at which a message can be shown: their names, and pixels; 0 means the full width. */
const widths = { full: ['Full', 0], tablet: ['Tablet', 768], phone: ['Phone', 375] } as const;

type WidthName = keyof typeof widths;

/** How the HTML of a message is shown: the URL parameters `width` and `images`. */
export interface HtmlOptions {
  readonly width: WidthName;
  /** Whether images from other servers are loaded. */
  readonly images: boolean;
}

export function htmlOptions(query: Readonly<Record<string, string>>): HtmlOptions {
  const { width = '', images } = query;
  const isKnown = (name: string): name is WidthName => Object.hasOwn(widths, name);
  return { width: isKnown(width) ? width : 'full', images: images === '1' };
}

interface HtmlView {
  /** The URL of the message. */
  readonly url: string;
  /** The HTML. */
  readonly content: string;
  readonly place: ListPosition;
  readonly options: HtmlOptions;
}

/** The HTML of a message in a frame, with the controls for showing it. */
export function htmlView({ url, content, place, options }: HtmlView): Html {
  const { width, images } = options;
  const [, pixels] = widths[width];
  // A script shrinks a frame that is wider than the window, so that all of it is visible.
  const least = pixels || neededWidth(content);
  return html`<div class="view-tools">
<nav class="choice" aria-label="Width of the message">${(Object.keys(widths) as WidthName[]).map(
    (name) =>
      html`<a href="${link({ width: name, images })}"${
        name === width ? html` aria-current="true"` : ''
      }>${widths[name][0]}</a>`,
  )}</nav>
<span id="scale" class="muted small"></span>
${hasRemoteImages(content) ? remoteImages(images, link({ width, images: !images })) : ''}
</div>
<div class="stage"><iframe class="paper" src="${url}/html${images ? '?images=1' : ''}" title="Message"
${pixels === 0 ? '' : html`width="${pixels}"`} data-least="${least}"
sandbox="${frameSandbox}" referrerpolicy="no-referrer"></iframe></div>`;

  function link(to: HtmlOptions): string {
    return searchOf(place, {
      view: 'html',
      ...(to.width === 'full' ? {} : { width: to.width }),
      ...(to.images ? { images: '1' } : {}),
    });
  }
}

function remoteImages(areLoaded: boolean, toggle: string): Html {
  return areLoaded
    ? html`<p class="muted small">Remote images are loaded. Their servers can see that this message
was opened. <a href="${toggle}">Block them</a></p>`
    : html`<p class="muted small">Remote images are blocked, because their servers would see that this
message was opened. <a href="${toggle}">Load them for this message</a></p>`;
}

/** Wider layouts are taken for a mistake; in pixels. */
const widest = 2000;

/** The margins that browsers leave on both sides of a page, in pixels. */
const margins = 16;

/**
 * The least width of a message in pixels: that of its widest table plus the margins of a page. 0 if it has no
 * table, or adapts to narrow windows by itself.
 */
function neededWidth(html: string): number {
  if (/@media[^{]{0,200}\bmax-(?:device-)?width/i.test(html)) return 0;
  let needed = 0;
  for (const [tag] of html.matchAll(/<table\b[^>]{0,500}/gi)) {
    if (/max-width/i.test(tag)) continue;
    const [, width = '0'] = /\bwidth\s{0,9}[=:]\s{0,9}["']?(\d{3,4})(?![\d%])/i.exec(tag) ?? [];
    if (Number(width) <= widest) needed = Math.max(needed, Number(width));
  }
  return needed === 0 ? 0 : needed + margins;
}
