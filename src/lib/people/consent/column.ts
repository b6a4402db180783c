import { shortened } from '../../base/text/shortened.ts';
import {
  type ConsentValue,
  consentValue,
  isAnswer,
  isArrival,
  isDate,
  isDenial,
  isElsewhere,
  isJsonLike,
  isLikeAnswer,
  isOfBoth,
  isRefusalAlone,
  listedParts,
  mentionsRefusal,
} from './cell.ts';
import { type ColumnMeaning, mayBeContent, mayHoldCodes, meaningOfName } from './column-name.ts';

/**
 * How a column is read. `stated` ones are meant by the command line, `subscribed` by that name; those of kind `values`
 * have a name that says nothing, those of `other channel` one about text messages, phone or the like; those of `name` have
 * the first or last names of people.
 */
export type ConsentKind =
  | ColumnMeaning
  | 'stated positive'
  | 'stated inverted'
  | 'subscribed'
  | 'values'
  | 'name'
  | 'other channel';

/** Different values of a column that are counted one by one, and named in a message. */
const mostValues = 50;
/** Different values of a column about anything, from which on it is taken for data, and how long they are kept. */
const mostDifferent = 300;
const longestKept = 200;

/** A column of a file of people, with what its cells say as far as they are read. */
export class FileColumn {
  readonly counts: Partial<Record<ConsentValue, number>> = {};
  /** Values as written, with how often; only the first ones. */
  readonly values = new Map<string, number>();
  /** Cells that are not empty. */
  filled = 0;
  /** Whether a value says no in words that are no count, or that mean nothing else. */
  denies = false;
  /** What values say in more than a letter, a digit or a code, which may be anything among other values. */
  readonly words = new Set<ConsentValue>();
  /** Whether a value that is not understood reads as an answer. */
  isAnswered = false;
  /** Whether a value is not understood, and whether one is of an order, a booking or the like. */
  isUnknown = false;
  isElsewhere = false;
  /** Whether each value is a date, a note of several words, an answer such as yes or no, a code such as `C`, whether email arrives. */
  readonly shape = { dates: true, notes: true, answers: true, codes: true, arrivals: true };
  /** Whether its values are too many to say anything. */
  isData = false;
  /** Its texts that say no among other words, with how often; only the first ones. */
  readonly refusals = new Map<string, number>();

  readonly name: string;
  readonly kind: ConsentKind;
  /** Rows before the first one that has it: those that count are empty. */
  readonly earlier: number;
  readonly #named: ReadonlyMap<string, string> | undefined;

  /** `named`: the values that the command line names, by themselves in lower case; undefined if values mean what they say. */
  constructor(
    name: string,
    kind: ConsentKind,
    named: ReadonlyMap<string, string> | undefined,
    earlier: number,
  ) {
    this.name = name;
    this.kind = kind;
    this.#named = named;
    this.earlier = earlier;
    if (earlier > 0) this.counts.empty = earlier;
  }

  /** Of the values that the command line names, those that a cell has. */
  readonly seenNamed = new Set<string>();

  /** The values that the command line names; none if it names any. */
  get namedValues(): readonly string[] {
    return this.#named?.has(anyValue) === true ? [] : [...(this.#named?.values() ?? [])];
  }

  /** Counts a cell of a column that may say who wants email. */
  note(cell: unknown): ConsentValue {
    const value = this.#meaningOf(cell);
    if (value === 'empty') {
      this.counts.empty = (this.counts.empty ?? 0) + 1;
      return value;
    }
    this.counts[value] = (this.counts[value] ?? 0) + 1;
    const text = shortened(textOf(cell), longestKept);
    if (text.trim().length > (mayHoldCodes(this.name) ? 2 : 1)) this.words.add(value);
    this.denies ||= value === 'none' || isDenial(cell);
    this.isAnswered ||= value === 'other' && isLikeAnswer(cell, !mayBeContent(this.name));
    const isElse = isElsewhere(cell);
    this.isElsewhere ||= isElse && !isOfBoth(cell);
    this.isUnknown ||= (value === 'other' || value === 'date') && !isElse;
    this.#count(this.values, text, mostValues);
    this.#see(text);
    return value;
  }

  /** Looks at a cell of a column about anything, as long as it has few different values: it may be a status, or tags. */
  look(cell: unknown): void {
    if (cell === undefined || cell === '') return;
    const whole = textOf(cell);
    const mayDeny = this.#see(whole) && this.kind === 'name';
    if (this.isData && !mayDeny) return;
    const text = shortened(whole, longestKept);
    const isKnown = this.values.has(text);
    const isDenied =
      (!isKnown || text.length > longestKept) &&
      (saysNo(cell) ||
        (isDenial(cell) && (this.kind !== 'other channel' || /mail|news|contact/i.test(whole))));
    if (!isKnown && this.values.size < mostDifferent) {
      const value = consentValue(cell);
      this.counts[value] = (this.counts[value] ?? 0) + 1;
    }
    // The message names what says no.
    if (!this.#count(this.values, text, isDenied ? Number.POSITIVE_INFINITY : mostDifferent)) {
      this.isData = !(this.denies || holdsWords(this.name));
    }
    this.denies ||= isDenied;
  }

  #meaningOf(cell: unknown): ConsentValue {
    const value = consentValue(cell);
    if (this.#named === undefined || value === 'empty') {
      return this.kind.endsWith('gone') && isLink(cell) ? 'empty' : value;
    }
    const isNamed = this.#named.has(anyValue)
      ? !['false', 'none', 'never'].includes(value)
      : this.#isNamed(textOf(cell));
    return isNamed ? 'true' : 'false';
  }

  /** Whether a text is named, or a part of it: a list of which one says yes may have another that says no. */
  #isNamed(text: string): boolean {
    const hasParts = this.kind === 'stated inverted' || isJsonLike(text);
    const named = [text, ...(hasParts ? listedParts(text) : [])]
      .map(asNamed)
      .filter((one) => this.#named?.has(one) === true);
    for (const one of named) this.seenNamed.add(one);
    return named.length > 0;
  }

  #count(texts: Map<string, number>, text: string, most: number): boolean {
    const count = texts.get(text) ?? 0;
    if (count === 0 && texts.size >= most) return false;
    texts.set(text, count + 1);
    return true;
  }

  /** Returns whether a text says no among other words. */
  #see(text: string): boolean {
    this.filled++;
    const { shape } = this;
    shape.dates &&= isDate(text.trim());
    const isRefusal =
      mentionsRefusal(text) ||
      // A surname such as Junk says nothing.
      (!['name', 'other channel'].includes(this.kind) && isRefusalAlone(text));
    if (isRefusal) this.#count(this.refusals, shortened(text, longestKept), mostCodes);
    shape.arrivals &&= isArrival(text);
    shape.notes &&= text.length > 12 && /\p{L}{2}\s+\p{L}{2}/u.test(text);
    if (this.values.size > mostCodes) shape.answers = shape.codes = false;
    shape.answers &&= isAnswer(text);
    shape.codes &&= /^[\p{L}\d]{1,2}$/u.test(text.trim());
    return isRefusal;
  }
}

/** The most different values of a column of codes or answers. */
export const mostCodes = 6;

/** Names any value in `--map 'unsubscribed=Reason:*'`, except those that say no. */
export const anyValue = '*';

/** A value as the command line names it: without case and blanks around it. */
export function asNamed(value: string): string {
  return value.trim().toLowerCase();
}

/** Whether a column holds tags and the like, which say no in any row, however many different ones there are. */
function holdsWords(name: string): boolean {
  return /tag|label|list|group|segment/i.test(name);
}

/** Whether a part of a list, or of JSON, says that a person is gone or does not want email. */
export function isPartOfNo(part: string): boolean {
  const [, name = '', value = ''] = /([^:]+):([^:]*)$/.exec(part) ?? [];
  return isDenial(part) || saysNo({ [name]: value });
}

/** Whether an object in JSON has a field, at any depth, that says that a person is gone or does not want email. */
function saysNo(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > deepest) return false;
  if (Array.isArray(value)) return value.some((one) => saysNo(one, depth + 1));
  return Object.entries(value).some(([name, cell]) => {
    if (typeof cell === 'object') return saysNo(cell, depth + 1);
    const meaning = meaningOfName(name);
    const said = consentValue(cell);
    if (meaning === 'inverted' || meaning === 'gone')
      return !/^(empty|none|false|never)$/.test(said);
    return /^(likely )?positive$/.test(meaning ?? '') && /^(false|no|denied|never)$/.test(said);
  });
}

/** How deep objects are looked at. */
const deepest = 4;

function isLink(cell: unknown): boolean {
  return typeof cell === 'string' && /^\s*(https?:|mailto:)/i.test(cell);
}

function textOf(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
