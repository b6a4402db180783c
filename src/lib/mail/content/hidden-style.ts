import type { DomUtils } from 'htmlparser2';
import { type Declarations, declarationsIn, type StyleRule } from './css-rules.ts';

export type StyledElement = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** Whether a node of a document is an element. */
export function isElement(node: object): node is StyledElement {
  return 'attribs' in node;
}

/**
 * The visibility of an element, from the rules of style sheets and its `style` attribute: whether nothing in it is shown,
 * and whether its own text is; undefined if the element around it decides that.
 */
export function visibilityOf(element: StyledElement, rules: readonly StyleRule[]) {
  const { style = '' } = element.attribs;
  const matching = rules
    .filter((rule) => matches(rule, element))
    .sort((a, b) => a.specificity - b.specificity)
    .map(({ declarations }) => declarations);
  if (matching.length === 0 && !maybeHides.test(style))
    return { isHidden: false, showsText: undefined };
  const all = [...matching, declarationsIn(style)];
  const last = (property: string) => lastOf(all, property);
  const isZero = (property: string) => zero.test(last(property));
  const clips = /hidden|clip/.test(last('overflow'));
  const isRow = /^(?:table|tbody|thead|tfoot|tr|td|th)$/.test(element.name);
  const isHidden =
    last('display') === 'none' ||
    /^all/.test(last('mso-hide')) ||
    isZero('opacity') ||
    isZero('max-height') ||
    (isZero('height') && (clips || !isRow)) ||
    (clips && (isZero('width') || isZero('max-width')));
  const size = last('font-size');
  const visibility = last('visibility');
  const isInvisible = zero.test(size) || /hidden|collapse/.test(visibility);
  const decides = size !== '' || visibility !== '';
  return { isHidden, showsText: decides ? !isInvisible : undefined };
}

/** Whether a `style` attribute may say something about visibility. Most do not, and need not be read. */
const maybeHides = /display|visibility|opacity|hide|height|width|font-size/i;

const zero = /^[+-]?0*\.?0+(?:[a-z]{1,4}|%)?$/;

function lastOf(all: readonly Declarations[], property: string): string {
  const declared = all.flatMap((one) => one.get(property) ?? []);
  return (declared.findLast(({ isImportant }) => isImportant) ?? declared.at(-1))?.value ?? '';
}

function matches({ path }: StyleRule, element: StyledElement): boolean {
  const [own = '', ...outer] = path.toReversed();
  if (!matchesSimple(own, element)) return false;
  let { parent } = element;
  for (const one of outer) {
    while (parent !== null && !matchesSimple(one, parent)) ({ parent } = parent);
    if (parent === null) return false;
    ({ parent } = parent);
  }
  return true;
}

function matchesSimple(selector: string, element: object): boolean {
  if (!isElement(element)) return false;
  const { class: classes = '', id } = element.attribs;
  const parts = selector.match(/[.#]?[\w-]+/g) ?? [];
  return parts.every((part) => {
    if (part.startsWith('.')) return classes.split(/\s+/).includes(part.slice(1));
    return part.startsWith('#') ? id === part.slice(1) : element.name === part.toLowerCase();
  });
}
