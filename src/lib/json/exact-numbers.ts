/** Numbers as the service wrote them: JavaScript's floats would change an id of 20 digits, and `1.10`. */

/** A number in JSON text, which `JSON.stringify` writes unchanged. */
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
/** A number that may not come back unchanged: -0, long, with a trailing zero, tiny, or an exponent. */
const suspicious =
  /[[,:]\s*-?(?:(?<=-)0|\d(?:\.?\d){15}[\d.]*|\d+\.\d*0|0\.0{6}\d+|\d+(?:\.\d+)?[eE][+-]?\d+)\s*[\],}]/;

/** Remembers, for `value` and all objects in it, how `text`, from which it was parsed, wrote numbers. */
export function rememberNumbers(value: unknown, text: string): void {
  if (suspicious.test(text)) link(value, parseExact(text));
}

/** The value of JSON text, with numbers that `JSON.stringify` writes as they are there. */
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
  // A list that was filtered is a new one, with known rows.
  return exactOf.get(value) ?? (Array.isArray(value) ? value.map(withExactNumbers) : value);
}

/** The text of a number that was kept as it came, or undefined for anything else. */
export function exactText(value: unknown): string | undefined {
  return json.isRawJSON(value) ? value.rawJSON : undefined;
}

function link(value: unknown, exact: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof exact !== 'object' || exact === null) return;
  exactOf.set(value, exact);
  for (const [name, one] of Object.entries(value)) link(one, Reflect.get(exact, name));
}
