/** A declaration of a style sheet or a `style` attribute, and what becomes of it. */
export interface StyleDeclaration {
  readonly property: string;
  readonly isImportant: boolean;
  readonly isLayered: boolean;
  /** Whether it is unknown what it wins over. */
  readonly isUnclear: boolean;
  readonly isInSheet: boolean;
  /** Whether it stays in its style sheet. */
  stays: boolean;
  /** Whether it becomes important there, where it also stays if it becomes an attribute. */
  isMarked: boolean;
}

/** A declaration for one selector. */
export interface Use {
  readonly declared: StyleDeclaration;
  readonly elements: readonly object[];
  /** Whether it applies to these elements in some mail programs only, if anywhere. */
  readonly isElsewhere: boolean;
  /** What it is compared by: importance, attribute, layer, then specificity and order. */
  readonly rank: readonly number[];
}

/** After how many rounds all declarations of a family stay. Few emails need more than one. */
const mostRounds = 4;

/**
 * Decides which declarations stay in style sheets, and which of these become important, so that the same ones win on
 * each element as before the others became attributes. What won over one that becomes important does so in its style
 * sheet, too, beside the attribute; where it cannot, what made it important stays instead. `lasting` are the elements
 * whose attributes keep what is important.
 */
export function settleCascade(uses: readonly Use[], lasting: ReadonlySet<object>): void {
  const sorted = uses.toSorted((a, b) => compare(a.rank, b.rank));
  const families = Map.groupBy(sorted, ({ declared }) => familyOf(declared.property));
  const ofAll = families.get('all') ?? [];
  for (const [family, own] of families) {
    const both =
      family === 'all' ? own : [...ofAll, ...own].sort((a, b) => compare(a.rank, b.rank));
    for (let round = 1; round <= mostRounds; round++) {
      const blocked = mark(both, lasting);
      if (blocked.length === 0) break;
      for (const { declared } of round < mostRounds ? blocked : both)
        declared.stays ||= declared.isInSheet;
      for (const { declared } of both) declared.isMarked = false;
    }
  }
}

/** A property that an element has from attributes. */
type Pair = readonly [element: object, property: string];

/** Of the declarations of a property for an element, the lowest and the highest by rank. */
interface Ends {
  readonly low: Use;
  high: Use;
}

type EndsByElement = Map<object, Map<string, Ends>>;

/** Marks what must be important in a family. Returns what must stay instead, if anything. */
function mark(sorted: readonly Use[], lasting: ReadonlySet<object>): readonly Use[] {
  const inlined: EndsByElement = new Map();
  for (const use of sorted) if (!use.declared.stays) addEnd(inlined, use);
  if (inlined.size === 0) return [];
  const blocked: Pair[] = [];
  /** What a declaration wins over, at least in part. */
  const wonOver = new Map<StyleDeclaration, Pair[]>();
  for (const use of sorted) {
    const { declared } = use;
    if (!declared.stays) continue;
    for (const element of use.elements) {
      const rivals = endsOf(inlined, element, declared.property);
      const pairs = rivals.map(({ low }): Pair => [element, low.declared.property]);
      const isLost = rivals.some(
        ({ high }) => isAbove(high, use) && covers(high.declared.property, declared.property),
      );
      if (declared.isUnclear) blocked.push(...pairs);
      else if (!isLost && rivals.some(({ low }) => isAbove(use, low))) {
        for (const one of pairs) addTo(wonOver, declared, one);
        // An attribute that keeps its importance wins over all style sheets.
        const keepsImportance = lasting.has(element);
        if (keepsImportance && rivals.some(({ high }) => high.declared.isImportant)) {
          blocked.push(...pairs);
        }
      }
    }
    declared.isMarked = wonOver.has(declared) && !declared.isImportant;
  }
  const conflicts: EndsByElement = new Map();
  for (let isDone = blocked.length > 0; !isDone; ) {
    isDone = true;
    const strong: EndsByElement = new Map();
    const marked: EndsByElement = new Map();
    for (const use of sorted) {
      const { declared, elements } = use;
      const { property, isImportant, isInSheet, isLayered } = declared;
      if (use.isElsewhere) continue;
      const isTouched = elements.some((one) => endsOf(strong, one, property).length > 0);
      // Importance alone put it above these.
      const isPassed = elements.some((one) =>
        endsOf(marked, one, property).some(({ high }) => isAbove(high, use, fixed)),
      );
      if (isImportant && isInSheet && !isLayered && isPassed) addEnd(conflicts, use);
      if (isTouched && !declared.isMarked) {
        if (!isInSheet || declared.isUnclear) {
          if (!isImportant) addEnd(conflicts, use);
        } else if (!declared.stays || !isImportant) {
          declared.isMarked = true;
          isDone = false;
        }
      }
      if (declared.isMarked || (declared.stays && isImportant)) addEnd(strong, use);
      if (declared.isMarked && !isImportant) addEnd(marked, use);
    }
    if (conflicts.size > 0) break;
  }
  for (const use of sorted) {
    const { isMarked, property } = use.declared;
    const isBelow = ({ high }: Ends) => isAbove(high, use);
    if (!isMarked || !use.elements.some((one) => endsOf(conflicts, one, property).some(isBelow))) {
      continue;
    }
    const pairs = wonOver.get(use.declared);
    // It is important because of others.
    if (pairs === undefined) return sorted;
    blocked.push(...pairs);
  }
  const properties = new Map<object, Set<string>>();
  for (const [element, property] of blocked) {
    properties.set(element, (properties.get(element) ?? new Set()).add(property));
  }
  return sorted.filter(({ declared: { stays, isInSheet, property }, elements }) => {
    return !stays && isInSheet && elements.some((one) => properties.get(one)?.has(property));
  });
}

function addEnd(ends: EndsByElement, use: Use): void {
  const { property } = use.declared;
  for (const element of use.elements) {
    const known = ends.get(element) ?? new Map<string, Ends>();
    ends.set(element, known);
    const own = known.get(property);
    if (own === undefined) known.set(property, { low: use, high: use });
    else own.high = use;
  }
}

/** Of the properties of an element that overlap with one. */
function endsOf(ends: EndsByElement, element: object, property: string): Ends[] {
  return [...(ends.get(element)?.values() ?? [])].filter(({ low }) =>
    overlap(low.declared.property, property),
  );
}

/** Whether the first one ranks above the second one, from this part of the ranks on. */
function isAbove(one: Use, other: Use, from = 0): boolean {
  return compare(one.rank.slice(from), other.rank.slice(from)) > 0;
}

/** How many parts of a rank precede specificity and order. */
const fixed = 3;

/** Adds a value to those of a key. */
export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((part, at) => part !== b[at]);
  return (a[index] ?? 0) - (b[index] ?? 0);
}

/** Whether the first property sets all that the second one sets. */
function covers(property: string, other: string): boolean {
  return (
    property === other ||
    property === 'all' ||
    other.startsWith(`${property}-`) ||
    (property === 'font' && other === 'line-height') ||
    (property === 'border-radius' && other.endsWith('-radius'))
  );
}

/** Whether both set something, at least in part. Those of borders do it in several ways. */
function overlap(one: string, other: string): boolean {
  const isBorder = one.startsWith('border') && other.startsWith('border');
  const group = groupOf.get(one);
  const isOfGroup = group !== undefined && group === groupOf.get(other);
  return isBorder || isOfGroup || covers(one, other) || covers(other, one);
}

/** Properties that set the same by names that do not begin alike. */
const groupOf: ReadonlyMap<string, string> = new Map(
  [
    ['overflow-wrap', 'word-wrap'],
    ['gap', 'grid-gap', 'row-gap', 'grid-row-gap', 'column-gap', 'grid-column-gap'],
    ['inset', 'inset-block', 'inset-inline', 'top', 'right', 'bottom', 'left'],
    ['columns', 'column-count', 'column-width'],
    ['width', 'inline-size'],
    ['height', 'block-size'],
  ].flatMap((group) => group.map((property) => [property, group.join()] as const)),
);

/** What a property and its shorthand share: `background` of `background-color`. Custom properties are alone. */
function familyOf(property: string): string {
  if (property === 'line-height') return 'font';
  if (property.endsWith('-radius')) return 'radius';
  if (/^border-(?:collapse|spacing)$/.test(property)) return property.slice('border-'.length);
  const group = groupOf.get(property);
  if (group !== undefined) return group;
  return property.startsWith('--') ? property : property.replace(/(?<=.)-.*/, '');
}
