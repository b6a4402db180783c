import { Parser } from 'htmlparser2';
import { forScreens, type StyleRule, styleRulesIn } from './css-rules.ts';
import { type StyledElement, visibilityOf } from './hidden-style.ts';

/** Elements that a text must not join with the one before them. */
const apart = new Set(['td', 'th', 'a', 'button', 'img', 'input', 'label', 'option', 'select']);

interface Open extends StyledElement {
  readonly showsText: boolean;
  /** What to go back to if nothing in the element is shown; undefined if it is shown in any case. */
  readonly before: Copied | undefined;
}

/** How far the HTML has been copied when an element begins. */
interface Copied {
  readonly result: string;
  readonly at: number;
  /** How much has been shown until there. */
  readonly shown: number;
}

/**
 * HTML whose text can be read without its style: without what is hidden, in whatever spelling, and with a space
 * between cells, links and buttons.
 */
export function readableHtml(html: string): string {
  const rules = sheetsIn(html);
  const open: Open[] = [];
  let result = '';
  /** Where what is not copied yet begins. */
  let from = 0;
  /** How many elements are open around a hidden one; undefined if nothing around is hidden. */
  let hiddenAt: number | undefined;
  let shown = 0;
  /** Whether an element has just ended that must stay apart from the next one. */
  let ended = false;
  const copyTo = (end: number, added = '') => {
    result += html.slice(from, end) + added;
    from = end;
  };
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        const { class: classes = '', id = '', style = '' } = attributes;
        const element = { name, id, classes: classes.split(/\s+/) };
        const visibility = visibilityOf(element, { style, rules, ancestors: open });
        const outer = open.at(-1)?.showsText ?? true;
        const showsText = visibility.showsText ?? outer;
        const isHidden =
          visibility.isHidden || 'hidden' in attributes || isEmptyImage(name, attributes);
        if (hiddenAt === undefined && ended && apart.has(name)) copyTo(parser.startIndex, ' ');
        ended = false;
        const mayShowNothing = hiddenAt === undefined && (isHidden || (outer && !showsText));
        if (mayShowNothing) copyTo(parser.startIndex);
        const before = mayShowNothing ? { result, at: from, shown } : undefined;
        if (isHidden) hiddenAt ??= open.length;
        if (hiddenAt === undefined && seen.has(name)) shown++;
        open.push({ ...element, showsText, before });
      },
      ontext() {
        const end = parser.endIndex + 1;
        if (!/\S/.test(html.slice(parser.startIndex, end)) || hiddenAt !== undefined) return;
        ended = false;
        if (open.at(-1)?.showsText !== false) {
          shown++;
          return;
        }
        copyTo(parser.startIndex);
        from = end;
      },
      onclosetag(name, isImplied) {
        const closed = open.pop();
        if (hiddenAt === open.length) hiddenAt = undefined;
        ended = apart.has(name);
        const before = hiddenAt === undefined ? closed?.before : undefined;
        if (before === undefined || before.shown !== shown) return;
        result = before.result;
        // An element without an end tag ends where the next tag begins, unless it has no content at all.
        const isAlone = parser.startIndex === before.at;
        from = isImplied && !isAlone ? parser.startIndex : parser.endIndex + 1;
      },
    },
    { decodeEntities: false },
  );
  parser.end(html);
  return result + html.slice(from);
}

/** Elements that show something besides text. */
const seen = new Set(['img', 'input']);

/** The rules of all style sheets for screens. */
function sheetsIn(html: string): StyleRule[] {
  if (!/<style/i.test(html)) return [];
  const rules: (readonly StyleRule[])[] = [];
  let isForScreens = false;
  const parser = new Parser({
    onopentag(name, { media = '' }) {
      isForScreens = name === 'style' && forScreens.test(media);
    },
    ontext(css) {
      if (isForScreens) rules.push(styleRulesIn(css));
    },
    onclosetag() {
      isForScreens = false;
    },
  });
  parser.end(html);
  return rules
    .flat()
    .filter(({ declarations }) => hiding.some((property) => declarations.has(property)));
}

const hiding = [
  ...['display', 'visibility', 'opacity', 'mso-hide', 'font-size'],
  ...['height', 'max-height', 'width', 'max-width', 'overflow'],
];

function isEmptyImage(name: string, { width, height }: Readonly<Record<string, string>>): boolean {
  return name === 'img' && [width, height].some((size) => /^0+(?:px)?$/.test(size ?? ''));
}
