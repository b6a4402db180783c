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
      if (blocked.size === 0) break;
      for (const { declared } of round < mostRounds ? blocked : both)
        declared.stays ||= declared.isInSheet;
      for (const { declared } of both) declared.isMarked = false;
    }
  }
}

/** Marks what must be important in a family. Returns what must stay instead, if anything. */
function mark(sorted: readonly Use[], lasting: ReadonlySet<object>): ReadonlySet<Use> {
  const inlined = new Map<object, Use[]>();
  for (const use of sorted) {
    if (!use.declared.stays) for (const element of use.elements) addTo(inlined, element, use);
  }
  const blocked = new Set<Use>();
  if (inlined.size === 0) return blocked;
  const block = (rivals: readonly Use[] = []) => {
    for (const one of rivals) if (one.declared.isInSheet) blocked.add(one);
  };
  /** Has what made these important stay; all, if that follows from others. */
  const blockBelow = (lower: readonly Use[]) => {
    for (const { declared } of lower) block(wonOver.get(declared) ?? sorted);
  };
  /** Which attributes a declaration wins over, at least in part. */
  const wonOver = new Map<StyleDeclaration, Use[]>();
  for (const use of sorted) {
    const { declared } = use;
    if (!declared.stays) continue;
    for (const element of use.elements) {
      const rivals = inlined.get(element)?.filter((one) => overlap(one, use)) ?? [];
      const winners = rivals.filter((one) => compare(one.rank, use.rank) > 0);
      if (declared.isUnclear) block(rivals);
      else if (winners.length < rivals.length && !winners.some((one) => covers(one, use))) {
        for (const one of rivals) addTo(wonOver, declared, one);
        // An attribute that keeps its importance wins over all style sheets.
        if (lasting.has(element) && rivals.some((one) => one.declared.isImportant)) block(rivals);
      }
    }
    declared.isMarked = wonOver.has(declared) && !declared.isImportant;
  }
  for (let isDone = false; !isDone && blocked.size === 0; ) {
    isDone = true;
    const strong = new Map<object, Use[]>();
    for (const use of sorted) {
      const { declared, elements, rank, isElsewhere } = use;
      if (isElsewhere) continue;
      const lower = elements.flatMap(
        (one) => strong.get(one)?.filter((other) => overlap(other, use)) ?? [],
      );
      const isAttribute = !declared.isInSheet;
      if (declared.isImportant && !declared.isLayered && !isAttribute) {
        // Importance alone put it above these.
        const past = (one: Use) => compare(one.rank.slice(fixed), rank.slice(fixed)) > 0;
        blockBelow(lower.filter((one) => !one.declared.isImportant && past(one)));
      }
      if (lower.length > 0 && !declared.isMarked) {
        if (isAttribute || declared.isUnclear) {
          if (!declared.isImportant) blockBelow(lower);
        } else if (!declared.stays || !declared.isImportant) {
          declared.isMarked = true;
          isDone = false;
        }
      }
      if (declared.isMarked || (declared.stays && declared.isImportant)) {
        for (const element of elements) addTo(strong, element, use);
      }
    }
  }
  return blocked;
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

/** Whether the first one sets all that the second one sets. */
function covers({ declared: { property } }: Use, { declared: other }: Use): boolean {
  return (
    property === other.property ||
    property === 'all' ||
    other.property.startsWith(`${property}-`) ||
    (property === 'font' && other.property === 'line-height')
  );
}

/** Whether both set something, at least in part. Those of borders do it in several ways. */
function overlap(a: Use, b: Use): boolean {
  const isBorder = a.declared.property.startsWith('border');
  return covers(a, b) || covers(b, a) || (isBorder && b.declared.property.startsWith('border'));
}

/** What a property and its shorthand share: `background` of `background-color`. Custom properties are alone. */
function familyOf(property: string): string {
  if (property === 'line-height') return 'font';
  if (/^border-(?:collapse|spacing|.*radius)$/.test(property))
    return property.slice('border-'.length);
  return property.startsWith('--') ? property : property.replace(/(?<=.)-.*/, '');
}
