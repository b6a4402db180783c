/**
 * Numbers as the service wrote them. JavaScript's are 64-bit floats, so that an id of 20 digits
 * would be shown with other digits than it came with, and `1.10` as `1.1`.
 */

/** What stands in for a number in JSON text; `JSON.stringify` writes it as it is. */
interface RawJson {
  readonly rawJSON: string;
}

// ECMAScript's "JSON.parse source text access", in Node since 21, which TypeScript does not know.
const json = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
};

const exactOf = new WeakMap<object, object>();
/**
 * A number in JSON text that may not come back as it was: -0, long, with a trailing zero, tiny, or
 * with an exponent. Digits in strings are none, unless they stand there as numbers do in JSON.
 */
const suspicious =
  /[[,:]\s*-?(?:(?<=-)0|\d(?:\.?\d){15}[\d.]*|\d+\.\d*0|0\.0{6}\d+|\d+(?:\.\d+)?[eE][+-]?\d+)\s*[\],}]/;

/** Remembers, for `value` and all objects in it, how `text`, of which it was parsed, wrote numbers. */
export function rememberNumbers(value: unknown, text: string): void {
  if (suspicious.test(text)) link(value, parseExact(text));
}

/** The value of JSON text, with numbers that `JSON.stringify` writes as they stand there. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_name, one, { source }) =>
    typeof one === 'number' && source !== undefined && String(one) !== source
      ? json.rawJSON(source)
      : one,
  );
}

/** `value` with numbers as they came, to be written as JSON or to be shown. */
export function withExactNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A list that has been filtered is a new one, of rows that are known.
  return exactOf.get(value) ?? (Array.isArray(value) ? value.map(withExactNumbers) : value);
}

/** The text of a number that stands as it came, or undefined for all else. */
export function exactText(value: unknown): string | undefined {
  return json.isRawJSON(value) ? value.rawJSON : undefined;
}

function link(value: unknown, exact: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof exact !== 'object' || exact === null) return;
  exactOf.set(value, exact);
  for (const [name, one] of Object.entries(value)) link(one, Reflect.get(exact, name));
}
