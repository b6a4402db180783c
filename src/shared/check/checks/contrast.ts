import type { CSSToken } from '@csstools/css-tokenizer';
import names from 'color-name';
import { defineCheck } from '../check.ts';
import { type Document, htmlDocumentOf } from '../document.ts';
import { cssText, cssValue } from '../read-css.ts';
import type { Element } from '../read-html.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** The colours of the text in an element; undefined if unknown. */
interface Colours {
  readonly text: Rgb | undefined;
  readonly background: Rgb | undefined;
  readonly isHidden: boolean;
  /** Large letters need less contrast. */
  readonly pixels: number;
  readonly isBold: boolean;
}

const start: Colours = {
  text: undefined,
  background: undefined,
  isHidden: false,
  pixels: 16,
  isBold: false,
};

/** Elements whose text mail programs colour themselves, and elements that show no text. */
const ownColour = new Set(['a', 'button', 'input', 'select', 'textarea']);
const shownNever = new Set(['style', 'script', 'title', 'head', 'template']);

/**
 * The contrast of text by WCAG 2, if its colour and background are both written at the element or
 * around it. Text whose colours a style sheet may change is not judged.
 */
export const contrast = defineCheck({
  code: 'contrast',
  severity: 'warning',
  meaning: 'text that is hard to read on its background',
  find(message, report) {
    const document = htmlDocumentOf(message);
    const known = new Map<Element, Colours>();
    for (const element of document.elements) {
      const around = element.parent === undefined ? start : (known.get(element.parent) ?? start);
      known.set(element, coloursOf(element, around, document));
    }
    const judged = new Set<Element>();
    for (const { text, at, parent } of document.texts) {
      if (parent === undefined || judged.has(parent) || !/\S/.test(text)) continue;
      const colours = known.get(parent) ?? start;
      if (colours.isHidden || colours.text === undefined || colours.background === undefined)
        continue;
      judged.add(parent);
      const { pixels, isBold } = colours;
      const needed = pixels >= 24 || (isBold && pixels >= 18.66) ? 3 : 4.5;
      const ratio = ratioOf(colours.text, colours.background);
      if (ratio >= needed) continue;
      const pair = `${hex(colours.text)} on ${hex(colours.background)}`;
      report({
        where: 'html',
        at: at + text.search(/\S/),
        message: `Text in ${pair} has a contrast of ${(Math.floor(ratio * 100) / 100).toFixed(2)}; it needs ${needed}.`,
        key: pair,
      });
    }
  },
});

function coloursOf(element: Element, around: Colours, document: Document): Colours {
  const { name, attributes } = element;
  let { text, background, isHidden, pixels, isBold } = around;
  if (ownColour.has(name)) text = undefined;
  if (/^(b|strong|th|h[1-6])$/.test(name)) isBold = true;
  if (shownNever.has(name) || attributes.has('hidden')) isHidden = true;
  // A style sheet may change both colours.
  if (attributes.has('class') || attributes.has('id')) {
    if (document.styleSheets.length > 0) [text, background] = [undefined, undefined];
  }
  const [bgcolor, color] = [attributes.get('bgcolor'), attributes.get('color')];
  if (bgcolor !== undefined) background = colourOf(bgcolor.value.trim().toLowerCase());
  if (attributes.has('background')) background = undefined;
  if (name === 'font' && color !== undefined) text = colourOf(color.value.trim().toLowerCase());
  for (const { property, value } of document.inlineStyle(element)) {
    const { value: written } = cssValue(value.slice(0, 40));
    switch (property) {
      case 'color':
        if (written !== 'inherit') text = colourOf(written);
        break;
      case 'background-color':
      case 'background':
        if (written !== 'transparent' && written !== 'none') background = colourOf(written);
        break;
      case 'background-image':
        if (written !== 'none') background = undefined;
        break;
      case 'display':
        isHidden ||= written === 'none';
        break;
      case 'visibility':
        isHidden ||= written === 'hidden';
        break;
      case 'opacity':
      case 'max-height':
        isHidden ||= Number.parseFloat(written) === 0;
        break;
      case 'font-size':
        pixels = pixelsOf(value, pixels);
        isHidden ||= pixels <= 1;
        break;
      case 'font-weight':
        isBold = /^(bold|bolder|[6-9]00)$/.test(written);
        break;
    }
  }
  return { text, background, isHidden, pixels, isBold };
}

function pixelsOf(value: readonly CSSToken[], otherwise: number): number {
  const [, number = '', unit = ''] = /^([\d.]+)(px|pt)?$/.exec(cssText(value)) ?? [];
  if (number === '') return otherwise;
  return Number(number) * (unit === 'pt' ? 4 / 3 : 1);
}

/** The colour that a CSS or HTML value means; undefined for other notations and transparent colours. */
function colourOf(written: string): Rgb | undefined {
  const [, digits] = /^#?([0-9a-f]{6}|#?[0-9a-f]{3})$/.exec(written) ?? [];
  if (digits !== undefined) {
    const all = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
    return [0, 2, 4].map((at) => Number.parseInt(all.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const [, inside = ''] = /^rgba?\(([^()]*)\)$/.exec(written) ?? [];
  const parts = inside.split(/[\s,/]+/).filter(Boolean);
  const [red, green, blue, alpha = '1'] = parts;
  if (red !== undefined && green !== undefined && blue !== undefined) {
    if (Number.parseFloat(alpha) < (alpha.endsWith('%') ? 100 : 1)) return undefined;
    const channel = (text: string) =>
      text.endsWith('%') ? Number.parseFloat(text) * 2.55 : Number.parseFloat(text);
    return [channel(red), channel(green), channel(blue)];
  }
  const known: Readonly<Record<string, Rgb>> = names;
  return Object.hasOwn(known, written) ? known[written] : undefined;
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const part = Math.min(Math.max(value, 0), 255) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function ratioOf(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
