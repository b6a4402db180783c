import * as z from 'zod';
import type { Operation } from '../../api/operation.ts';
import { nulIssues } from '../../shared/nul-issues.ts';
import { ApiError, InvalidInput } from '../store/errors.ts';
import { liveIssues, liveMessage } from './live-issues.ts';
import { liveBodyOf } from './live-rules.ts';

/** An unparsed request. */
interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string | null;
  readonly body: string;
}

/**
 * Reads the input of an operation. Like live servers, it drops unknown fields, and treats a missing
 * body, or one that is not declared as JSON, as an empty object. Text with a NUL character is
 * rejected, because their database would fail. Throws `InvalidInput`, or `ApiError` BAD_REQUEST for
 * a body that is declared as JSON but is not.
 */
export function readInput(operation: Operation, raw: RawInput): Record<string, unknown> {
  const { params, query, body } = operation.input.shape;
  const input: Record<string, unknown> = {};
  if (params instanceof z.ZodObject) {
    const given = new URLSearchParams(Object.entries(raw.params));
    input.params = parseInput(params, fromText(params, given));
  }
  if (query instanceof z.ZodObject) input.query = parseInput(query, fromText(query, raw.query));
  if (body instanceof z.ZodType) {
    const known = knownPart(body, parseJson(raw));
    input.body = parseInput(body, liveBodyOf(operation.id, known));
    if (raw.body.includes('\\u0000')) rejectNul(known);
  }
  return input;
}

/** Parses `value`. Throws `InvalidInput`. */
function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value, { reportInput: true, error: liveMessage });
  if (result.success) return result.data;
  throw new InvalidInput(liveIssues(result.error.issues));
}

/** Throws `InvalidInput` for text that cannot be stored. */
function rejectNul(body: unknown): void {
  const issues = nulIssuesOf(body).map((issue) => ({ code: 'custom', ...issue }));
  if (issues.length > 0) throw new InvalidInput(issues);
}

function nulIssuesOf(body: unknown) {
  try {
    return nulIssues(body);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path: [], message: 'is nested too deeply' }];
  }
}

/** The most items of lists and maps in a body. Checking more would keep other requests waiting. */
const mostItems = 100_000;

/** `body` without unknown fields. Throws `InvalidInput` if it has too many items. */
function knownPart(schema: z.ZodType, body: unknown): unknown {
  let items = 0;
  return known(schema, body);

  function known(type: unknown, value: unknown): unknown {
    if (type instanceof z.ZodOptional) return known(type.unwrap(), value);
    if (Array.isArray(value)) {
      count(value.length);
      return type instanceof z.ZodArray ? value.map((one) => known(type.element, one)) : value;
    }
    if (!isObject(value)) return value;
    if (type instanceof z.ZodRecord) count(Object.keys(value).length);
    return type instanceof z.ZodObject ? fieldsOf(type, value) : value;
  }

  function fieldsOf(type: z.ZodObject, value: object): Record<string, unknown> {
    const given = Object.entries(type.shape).filter(([name]) => Object.hasOwn(value, name));
    return Object.fromEntries(
      given.map(([name, field]) => [name, known(field, Reflect.get(value, name))]),
    );
  }

  function count(more: number): void {
    items += more;
    if (items <= mostItems) return;
    const message = `A body may have at most ${mostItems} items`;
    throw new InvalidInput([{ code: 'custom', message, path: [] }]);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The fields of `schema` in `given`, as numbers and lists. No number is NaN. */
function fromText(schema: z.ZodObject, given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const texts = given.getAll(name);
    const [first] = texts;
    if (first === undefined) continue;
    const type = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (type instanceof z.ZodArray) {
      values[name] = texts.map((text) => fieldValue(type.element, text));
    } else {
      // A value that is given twice is a list, which the schema rejects.
      values[name] = texts.length > 1 ? texts : fieldValue(type, first);
    }
  }
  return values;
}

function fieldValue(type: unknown, text: string): unknown {
  return type instanceof z.ZodNumber ? Number(text) : text;
}

function parseJson({ contentType, body }: RawInput): unknown {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '')) return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new ApiError('BAD_REQUEST', 'Malformed JSON in request body');
  }
}
