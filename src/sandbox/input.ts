import * as z from 'zod';
import type { Operation } from '../api/operation.ts';
import { ApiError, InvalidInput } from './errors.ts';
import { liveBodyOf } from './live-rules.ts';

/** A request as it came over the wire. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string | null;
  readonly body: string;
}

/**
 * Reads what an operation takes. Like live servers it drops unknown fields without a word, and
 * takes a body that is not declared as JSON for an empty object. Throws `InvalidInput`, or
 * `ApiError` BAD_REQUEST for a body that is missing or not JSON.
 */
export function readInput(operation: Operation, raw: RawInput): Record<string, unknown> {
  const { params, query, body } = operation.input.shape;
  const input: Record<string, unknown> = {};
  if (params instanceof z.ZodObject) {
    const given = new URLSearchParams(Object.entries(raw.params));
    input.params = parseKnown(params, fromText(params, given));
  }
  if (query instanceof z.ZodObject) input.query = parseKnown(query, fromText(query, raw.query));
  if (body instanceof z.ZodType) {
    input.body = parseKnown(body, liveBodyOf(operation.id, parseJson(raw)));
  }
  return input;
}

/** Parses `value`, leaving out the fields that `schema` does not know. Throws `InvalidInput`. */
export function parseKnown<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> {
  let known = value;
  for (;;) {
    const result = schema.safeParse(known);
    if (result.success) return result.data;
    const unknown = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (unknown.length === 0) throw new InvalidInput(result.error.issues);
    known = structuredClone(known);
    for (const { path, keys } of unknown) removeKeys(known, path, keys);
  }
}

function removeKeys(root: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let target = root;
  for (const step of path) target = isObject(target) ? Reflect.get(target, step) : undefined;
  if (!isObject(target)) return;
  for (const key of keys) Reflect.deleteProperty(target, key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The fields of `schema` that `given` has, numbers and lists made of the text. */
function fromText(schema: z.ZodObject, given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const texts = given.getAll(name);
    const [first] = texts;
    if (first === undefined) continue;
    const type = field instanceof z.ZodOptional ? field.unwrap() : field;
    values[name] =
      type instanceof z.ZodArray
        ? texts.map((text) => fieldValue(type.element, text))
        : fieldValue(type, first);
  }
  return values;
}

function fieldValue(type: unknown, text: string): unknown {
  // What is not a number stays text, which the schema then refuses.
  return type instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function parseJson({ contentType, body }: RawInput): unknown {
  const malformed = new ApiError('BAD_REQUEST', 'Malformed JSON in request body');
  if (body === '') throw malformed;
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '')) return {};
  try {
    return JSON.parse(body);
  } catch {
    throw malformed;
  }
}
