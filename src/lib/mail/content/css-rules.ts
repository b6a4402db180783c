import {
  type CssBlock,
  type CssVisitor,
  cssText,
  cssValue,
  readCss,
} from '../../../shared/check/read-css.ts';

/** Properties by name, in lower case; `!important` ones are marked. */
export type Declarations = ReadonlyMap<string, Declared>;

type Declared = ReturnType<typeof cssValue>;

/** A rule of a style sheet, for one selector. */
export interface StyleRule {
  /** The simple selectors of each element, the last one being the element itself. */
  readonly path: readonly string[];
  readonly specificity: number;
  readonly declarations: Declarations;
}

/** The declarations in a `style` attribute. */
export function declarationsIn(css: string): Declarations {
  const declarations = new Map<string, Declared>();
  const visitor: CssVisitor = {
    declaration: (property, value) => declare(declarations, property, cssValue(value)),
  };
  readCss(css, 0, visitor, true);
  return declarations;
}

/**
 * The rules of a style sheet that hold on every screen, for selectors of elements, classes and ids. Others match
 * nothing here: pseudo-classes and media queries are about moments and machines.
 */
export function styleRulesIn(sheet: string): StyleRule[] {
  const blocks = new Map<CssBlock, Map<string, Declared>>();
  readCss(sheet, 0, {
    declaration(property, value, _at, around) {
      // Nobody needs more levels, and each costs time in all below it.
      if (around.length > 9) return;
      const [own, ...outer] = around.toReversed();
      const isForScreens = outer.every(
        ({ name, prelude }) => name === 'media' && forScreens.test(cssText(prelude)),
      );
      if (own === undefined || own.name !== undefined || !isForScreens) return;
      const declarations = blocks.get(own) ?? new Map();
      blocks.set(own, declare(declarations, property, cssValue(value)));
    },
  });
  return [...blocks].flatMap(([{ prelude }, declarations]) =>
    prelude
      .map(([, text]) => text)
      .join('')
      .split(',')
      .map((selector) => ({
        path: selector.trim().split(/\s+/),
        specificity: specificityOf(selector),
        declarations,
      }))
      .filter(({ path }) => path.every((one) => simple.test(one))),
  );
}

/** Media queries that every screen matches. */
export const forScreens = /^\s*(?:only\s+)?(?:all|screen)?\s*$/i;

function declare(declarations: Map<string, Declared>, property: string, declared: Declared) {
  const isKept = declarations.get(property)?.isImportant === true && !declared.isImportant;
  return isKept ? declarations : declarations.set(property, declared);
}

const simple = /^(?=.)(?:\*|[a-z][\w-]*)?(?:[.#][\w-]+)*$/i;

function specificityOf(selector: string): number {
  const count = (part: RegExp) => selector.match(part)?.length ?? 0;
  return count(/#/g) * 10_000 + count(/\./g) * 100 + count(/(?<![\w.#-])[a-z]/gi);
}
