import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { forScreens, styleRulesIn } from './css-rules.ts';
import { isElement, type StyledElement, visibilityOf } from './hidden-style.ts';
import { standIn } from './placeholders.ts';

/** An element, a text, or a comment. */
type Child = ReturnType<typeof parse>['children'][number];

interface Pruned {
  readonly isShown: boolean;
  readonly stays: boolean;
}

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
  /** Whether something of a node is shown, and whether it stays. `showsText` is of the element around it. */
  const prune = (node: Child, showsText: boolean): Pruned => {
    if (isWritten(node)) return { isShown: showsText, stays: showsText };
    if (!isElement(node)) return { isShown: false, stays: true };
    const { href } = node.attribs;
    if (node.name === 'a' && href !== undefined) node.attribs.href = opened(href, base);
    const { isHidden, showsText: own = showsText } = visibilityOf(node, rules);
    if (isHidden || 'hidden' in node.attribs || isEmptyImage(node) || isMetadata(node)) {
      return { isShown: false, stays: false };
    }
    const isShown = pruneAll(node, own) || seen.has(node.name);
    return { isShown, stays: isShown || own || !showsText };
  };
  /** Leaves out the children that do not stay, and returns whether something of them is shown. */
  const pruneAll = (around: { children: Child[] }, showsText: boolean): boolean => {
    const kept: Child[] = [];
    let isAnyShown = false;
    /** Whether what is before a node must stay apart from it. */
    let isAfter = false;
    for (const node of around.children) {
      const isApart = isElement(node) && apart.has(node.name);
      if (isApart && isAfter) kept.push(...parse(' ').children);
      if (isElement(node) || isWritten(node)) isAfter = isApart;
      const { isShown, stays } = prune(node, showsText);
      if (stays) kept.push(node);
      if (isShown) isAnyShown = true;
    }
    // At once: to remove one takes as long as there are others.
    around.children = kept;
    return isAnyShown;
  };
  pruneAll(document, true);
  return DomUtils.getOuterHTML(document, { decodeEntities: false });
}

function parse(html: string) {
  return parseDocument(html, { decodeEntities: false });
}

/** Whether it is a text that is not blank. */
function isWritten(node: Child): boolean {
  return node.type === ElementType.Text && /\S/.test(node.data);
}

const hiding = [
  ...['display', 'visibility', 'opacity', 'mso-hide', 'font-size'],
  ...['height', 'max-height', 'width', 'max-width', 'overflow'],
];

function isEmptyImage({ name, attribs: { width, height } }: StyledElement): boolean {
  return name === 'img' && [width, height].some((size) => /^0+(?:px)?$/.test(size ?? ''));
}
