/** Properties by name, in lower case; `!important` ones are marked. */
export type Declarations = ReadonlyMap<string, Declared>;

interface Declared {
  readonly value: string;
  readonly isImportant: boolean;
}

/** A rule of a style sheet, for one selector. */
export interface StyleRule {
  /** The simple selectors of each element, the last one being the element itself. */
  readonly path: readonly string[];
  readonly specificity: number;
  readonly declarations: Declarations;
}

/** The declarations in a `style` attribute or a block. */
export function declarationsIn(css: string): Declarations {
  const declarations = new Map<string, Declared>();
  for (const one of withoutComments(css).split(';')) {
    const colon = one.indexOf(':');
    if (colon === -1) continue;
    const written = one
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const value = written.replace(/\s*!\s*important$/, '');
    const property = one.slice(0, colon).trim().toLowerCase();
    const isImportant = value !== written;
    if (declarations.get(property)?.isImportant !== true || isImportant) {
      declarations.set(property, { value, isImportant });
    }
  }
  return declarations;
}

/**
 * The rules of a style sheet that hold on every screen, for selectors of elements, classes and ids. Others match
 * nothing here: pseudo-classes and media queries are about moments and machines.
 */
export function styleRulesIn(sheet: string): StyleRule[] {
  const css = withoutComments(sheet).replace(/<!--|-->/g, '');
  const rules: StyleRule[] = [];
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at);
    if (open === -1) break;
    const prelude = css
      .slice(at, open)
      .replace(/@(?:import|charset|namespace)[^;]*;/gi, '')
      .trim();
    const isSheet = /^@media\s*(?:only\s+)?(?:all|screen)?$/i.test(prelude);
    const end = isSheet ? open : endOfBlock(css, open);
    at = end + 1;
    if (prelude.startsWith('@')) continue;
    const declarations = declarationsIn(css.slice(open + 1, end));
    for (const selector of prelude.split(',')) {
      const path = selector
        .trim()
        .replace(/^}+\s*/, '')
        .split(/\s+/);
      if (!path.every((one) => simple.test(one))) continue;
      rules.push({ path, specificity: specificityOf(selector), declarations });
    }
  }
  return rules;
}

const simple = /^(?:\*|[a-z][\w-]*)?(?:[.#][\w-]+)*$/i;

function specificityOf(selector: string): number {
  const count = (part: RegExp) => selector.match(part)?.length ?? 0;
  return count(/#/g) * 10_000 + count(/\./g) * 100 + count(/(?<![\w.#-])[a-z]/gi);
}

/** The brace that closes this one. */
function endOfBlock(css: string, open: number): number {
  const brace = /[{}]/g;
  brace.lastIndex = open + 1;
  for (let depth = 1, match = brace.exec(css); match !== null; match = brace.exec(css)) {
    depth += match[0] === '{' ? 1 : -1;
    if (depth === 0) return match.index;
  }
  return css.length;
}

function withoutComments(css: string): string {
  return css.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, ' ');
}
