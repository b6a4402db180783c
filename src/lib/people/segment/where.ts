import type { SegmentCondition, SegmentOperator } from '../../../api/segment.ts';
import { UsageError } from '../../base/errors.ts';

/** The syntax of conditions, for help pages. */
export const whereGrammar = {
  title: 'Conditions: FIELD OPERATOR VALUE',
  rows: [
    ['plan=pro', 'the field has this value'],
    ['plan!=pro', 'another value; contacts without one are left out'],
    ['city~York', 'the field contains this text'],
    ['plan in pro,team', 'the field has one of these values'],
    ['subscribed=yes', 'the contact is subscribed; subscribed=no: it is not'],
    ['city="New York, NY"', 'quotes for a value with commas or quotes; \\" is a quote'],
  ],
} as const;

const symbols: readonly (readonly [symbol: string, op: SegmentOperator])[] = [
  ['!=', 'neq'],
  ['=', 'eq'],
  ['~', 'contains'],
];

/** A condition as it is typed: what its field is remains to be determined. */
type TypedCondition = Omit<SegmentCondition, 'value'> & { readonly value: string | string[] };

/** Parses a condition such as `plan=pro`. Throws a `UsageError` that says what is wrong and where. */
export function parseCondition(text: string): TypedCondition {
  const source = new Source(text);
  const field = source.quoted() ?? source.field();
  if (field === '') throw source.problem('has no field before the operator');
  const op = source.operator();
  const value = op === 'in' ? source.list() : source.value(/\s*$/y);
  return { field, op, value };
}

const noSuchOperator =
  'has an operator other than =, !=, ~ and in; quote it if it is part of a text';

/** A condition that is parsed from left to right. */
class Source {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#take(/\s*/y);
  }

  /** A quoted text; undefined if the next character is no quote. */
  quoted(): string | undefined {
    if (this.#text[this.#at] !== '"') return undefined;
    const [found, inner = ''] = this.#take(/"((?:[^"\\]|\\.)*)"/sy) ?? [];
    if (found === undefined) throw this.problem('has no closing quote');
    return inner.replace(/\\(.)/gs, '$1');
  }

  /** A field without quotes. Of `total>=100`, only a part would be read as an operator. */
  field(): string {
    const field = this.upTo(/\s*(?:!=|[=~]|\s+in\s)/y);
    if (/[<>]$/.test(field)) throw this.problem(noSuchOperator);
    return field;
  }

  /** The text before `end`, or all the rest. */
  upTo(end: RegExp): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !this.#isAt(end)) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  operator(): SegmentOperator {
    this.#take(/\s*/y);
    for (const [symbol, op] of symbols) {
      if (!this.#text.startsWith(symbol, this.#at)) continue;
      this.#at += symbol.length;
      if (this.#isAt(/[=~<>]/y)) throw this.problem(noSuchOperator);
      return op;
    }
    if (this.#take(/in(?=\s)/y) !== undefined) return 'in';
    throw this.problem('has no operator: =, !=, ~ or in');
  }

  /** A value up to `end`, quoted or not. */
  value(end: RegExp): string {
    this.#take(/\s*/y);
    const quoted = this.quoted();
    if (quoted !== undefined) {
      if (!this.#isAt(end)) throw this.problem('continues after the closing quote');
      return quoted;
    }
    const value = this.upTo(end);
    if (value === '') throw this.problem('has no value; "" is an empty one');
    if (value.includes('"')) throw this.problem('has a quote inside a value without quotes');
    return value;
  }

  list(): string[] {
    const values: string[] = [];
    do {
      values.push(this.value(/\s*(?:,|$)/y));
    } while (this.#take(/\s*,/y) !== undefined);
    return values;
  }

  problem(what: string): UsageError {
    const before = this.#text.slice(0, this.#at);
    const place = this.#at > 0 && this.#at < this.#text.length ? `, after ${before}` : '';
    return new UsageError(`--where: ${JSON.stringify(this.#text)} ${what}${place}`, {
      hint: `Write for example: ${whereGrammar.rows.map(([form]) => form).join('   ')}`,
    });
  }

  #isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

const symbolOf: Readonly<Record<string, string>> = Object.fromEntries(
  symbols.map(([symbol, op]) => [op, symbol]),
);

/** A condition of a reply, in the syntax of `--where`. */
export function conditionText({
  field,
  op,
  value,
}: {
  readonly field?: string | null | undefined;
  readonly op?: string | null | undefined;
  readonly value?: unknown;
}): string {
  const values = [value ?? '']
    .flat()
    .map((one) => inQuotes(typeof one === 'string' ? one : JSON.stringify(one)))
    .join(',');
  const symbol = symbolOf[op ?? ''];
  return symbol === undefined
    ? `${inQuotes(field ?? '')} ${op ?? ''} ${values}`
    : `${inQuotes(field ?? '')}${symbol}${values}`;
}

function inQuotes(text: string): string {
  const plain = /^[^\s"\\,=!~<>]+( [^\s"\\,=!~<>]+)*$/.test(text) && !/(^| )in( |$)/.test(text);
  return plain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
