/**
 * Keeps numbers as the service wrote them: as floats, an id of 20 digits or `1.10` would change.
 */

/** A number in JSON text, which `JSON.stringify` writes unchanged. */
interface RawJson {
  readonly rawJSON: string;
}

// ECMAScript's "JSON.parse source text access", in Node since 21. TypeScript does not know it yet.
const json = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
};

const exactOf = new WeakMap<object, object>();
/** Numbers that may change in a round trip: -0, long ones, trailing zeros, tiny ones, exponents. */
const suspicious =
  /[[,:]\s*-?(?:(?<=-)0|\d(?:\.?\d){15}[\d.]*|\d+\.\d*0|0\.0{6}\d+|\d+(?:\.\d+)?[eE][+-]?\d+)\s*[\],}]/;

/**
 * Remembers how `text`, from which `value` was parsed, wrote the numbers in each of its objects.
 */
export function rememberNumbers(value: unknown, text: string): void {
  if (suspicious.test(text)) link(value, parseExact(text));
}

/** Parses JSON text so that `JSON.stringify` writes its numbers unchanged. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_name, one, { source }) =>
    typeof one === 'number' && source !== undefined && String(one) !== source
      ? json.rawJSON(source)
      : one,
  );
}

/** `value` with its original numbers, to write it as JSON or to show it. */
export function withExactNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // A filtered list is a new array of known rows.
  return exactOf.get(value) ?? (Array.isArray(value) ? value.map(withExactNumbers) : value);
}

/** The fields of an object with their original numbers; none if it is not an object. */
export function exactFields(value: unknown): Readonly<Record<string, unknown>> {
  return { ...Object(withExactNumbers(value)) };
}

/** The text of an original number; undefined for anything else. */
export function exactText(value: unknown): string | undefined {
  return json.isRawJSON(value) ? value.rawJSON : undefined;
}

function link(value: unknown, exact: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof exact !== 'object' || exact === null) return;
  exactOf.set(value, exact);
  for (const [name, one] of Object.entries(value)) link(one, Reflect.get(exact, name));
}
