import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { forScreens, styleRulesIn } from './css-rules.ts';
import { isElement, type StyledElement, visibilityOf } from './hidden-style.ts';
import { standIn } from './placeholders.ts';

/** An element, a text, or a comment. */
type Node = Parameters<typeof DomUtils.removeElement>[0];

/** Elements that a text must not join with the one before them. */
const apart = new Set(['td', 'th', 'a', 'button', 'img', 'input', 'label', 'option', 'select']);

/** Elements that show something besides text. */
const seen = new Set(['img', 'input']);

/** What is filled in later may be a whole URL. */
const beginsWithValue = new RegExp(`^\\s*${standIn.source}`);

/** A link as browsers open it: in one piece, and with what it is relative to. What a template writes stays. */
function opened(href: string, base: string | undefined): string {
  if (/[{<]/.test(href) || beginsWithValue.test(href)) return href;
  const whole = href
    .trim()
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20');
  const isRelative = base !== undefined && !/^(?:#|$|[a-z][\w+.-]*:)/i.test(whole);
  return isRelative ? (URL.parse(whole, base)?.href ?? whole) : whole;
}

/** Elements whose text is never shown. That of an image in SVG tells what it is. */
function isMetadata({ name, parent }: StyledElement): boolean {
  const isOfImage = parent !== null && isElement(parent) && parent.name === 'svg';
  return /^(?:title|template|xml)$/.test(name) && !isOfImage;
}

/**
 * HTML whose text can be read without its style: without what is hidden, in whatever spelling, and with a space
 * between cells, links and buttons.
 */
export function readableHtml(html: string): string {
  const document = parse(html);
  const rules = DomUtils.getElementsByTagName('style', document)
    .filter(({ attribs }) => forScreens.test(attribs.media ?? ''))
    .flatMap((sheet) => styleRulesIn(DomUtils.textContent(sheet)))
    .filter(({ declarations }) => hiding.some((property) => declarations.has(property)));
  const [base] = DomUtils.getElementsByTagName('base', document).flatMap(
    ({ attribs }) => attribs.href?.trim() || [],
  );
  /** Removes what is not shown, and returns whether something is. `showsText` is of the element around it. */
  const prune = (node: Node, showsText: boolean): boolean => {
    if (isWritten(node)) {
      if (!showsText) DomUtils.removeElement(node);
      return showsText;
    }
    if (!isElement(node)) return false;
    const { href } = node.attribs;
    if (node.name === 'a' && href !== undefined) node.attribs.href = opened(href, base);
    const { isHidden, showsText: own = showsText } = visibilityOf(node, rules);
    if (isHidden || 'hidden' in node.attribs || isEmptyImage(node) || isMetadata(node)) {
      DomUtils.removeElement(node);
      return false;
    }
    const isShown = pruneAll(node.children, own) || seen.has(node.name);
    if (!isShown && showsText && !own) DomUtils.removeElement(node);
    return isShown;
  };
  const pruneAll = (nodes: readonly Node[], showsText: boolean): boolean => {
    let isShown = false;
    /** Whether what is before a node must stay apart from it. */
    let isAfter = false;
    for (const node of [...nodes]) {
      const isApart = isElement(node) && apart.has(node.name);
      if (isApart && isAfter)
        for (const space of parse(' ').children) DomUtils.prepend(node, space);
      if (isElement(node) || isWritten(node)) isAfter = isApart;
      if (prune(node, showsText)) isShown = true;
    }
    return isShown;
  };
  pruneAll(document.children, true);
  return DomUtils.getOuterHTML(document, { decodeEntities: false });
}

function parse(html: string) {
  return parseDocument(html, { decodeEntities: false });
}

/** Whether it is a text that is not blank. */
function isWritten(node: Node): boolean {
  return node.type === ElementType.Text && /\S/.test(node.data);
}

const hiding = [
  ...['display', 'visibility', 'opacity', 'mso-hide', 'font-size'],
  ...['height', 'max-height', 'width', 'max-width', 'overflow'],
];

function isEmptyImage({ name, attribs: { width, height } }: StyledElement): boolean {
  return name === 'img' && [width, height].some((size) => /^0+(?:px)?$/.test(size ?? ''));
}
