import { methods } from '../../api/operation.ts';
import type { Context } from '../command/context.ts';
import type { OrderedFlag } from '../command/flags/repeatable.ts';
import { UsageError } from '../errors.ts';
import type { AnyRequest } from '../http/build-request.ts';
import { parseChoice } from '../input/choice.ts';
import { readJsonSource } from '../input/json-input.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { decoded } from '../text/decoded.ts';
import { withLastId } from './last-id.ts';

/** The flags that make up a request. */
export interface RequestFlags {
  /** The values of `-f` and `-F`, in the order of the command line. */
  readonly rawField?: readonly OrderedFlag[] | undefined;
  /** The same. */
  readonly field?: readonly OrderedFlag[] | undefined;
  readonly input?: string | undefined;
}

/**
 * The request from words and flags: fields become the query of a GET, else the JSON body. The default method
 * is GET, or POST if there are fields or a body.
 */
export async function readRequest(
  context: Context,
  methodGiven: string | undefined,
  pathGiven: string,
  flags: RequestFlags,
): Promise<AnyRequest> {
  const given = flags.rawField ?? flags.field ?? [];
  if (!methodGiven && methods.some((one) => one === pathGiven.toUpperCase())) {
    throw new UsageError('PATH is missing', {
      hint: `For example: mailer api ${pathGiven} /v1/domains`,
    });
  }
  const byDefault = given.length > 0 || flags.input ? 'POST' : 'GET';
  const method = parseChoice('METHOD', methods)(methodGiven || byDefault);
  const whole = await endpointPath(pathGiven, () => baseUrlOf(context));
  const path = await withLastId(context, whole);
  const fields = readFields(given);
  if (!flags.input) {
    if (method === 'GET') return { method, path: withQuery(path, fields) };
    return fields.length === 0 ? { method, path } : { method, path, body: bodyOf(fields) };
  }
  if (method === 'GET') throw new UsageError('--input: GET has no body');
  if (fields.length > 0) {
    throw new UsageError('--input cannot be used together with -f or -F', {
      hint: 'A query goes into PATH.',
    });
  }
  const { text } = await readJsonSource(flags.input, context.files, '--input');
  return { method, path, body: text };
}

async function baseUrlOf({ account, flags }: Pick<Context, 'account' | 'flags'>) {
  const resolved = await account();
  return flags.dryRun === true ? resolved.baseUrl : resolved.service();
}

/**
 * Path and query below the base URL, with a leading slash, from `/v1/doc`, `v1/doc` or a full URL below
 * `baseUrl`. Throws a `UsageError` for anything that might lead elsewhere.
 */
async function endpointPath(
  given: string,
  baseUrl: () => Promise<string | undefined>,
): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URLs drop them without a word
  if (/[\x00-\x1f\x7f-\x9f]/.test(given)) {
    throw new UsageError('PATH must not contain control characters');
  }
  if (given.includes('#')) {
    throw new UsageError('PATH must not contain #, which begins a fragment', {
      hint: 'Where it is part of a name, write %23',
    });
  }
  const [pathname = ''] = given.split('?', 1);
  if (pathname === '') throw new UsageError('PATH is empty', { hint: 'For example: /v1/doc' });
  if (pathname.includes('\\') || pathname.split('/').some(isDots)) {
    throw new UsageError('PATH must not contain . or .. as a part, nor a backslash');
  }
  if (pathname.startsWith('//')) throw new UsageError('PATH must not begin with //');
  if (/^[a-z][a-z\d+.-]*:/i.test(given)) return belowBase(given, await baseUrl());
  return (given.startsWith('/') ? given : `/${given}`).replaceAll(' ', '%20');
}

/** Whether servers may read a part of a path as `.` or `..`. */
function isDots(part: string): boolean {
  return decoded(part)
    .split(/[/\\]/)
    .some((one) => one === '.' || one === '..');
}

function belowBase(given: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) {
    throw new UsageError('PATH is a URL, but there is no base URL to compare it with');
  }
  const url = URL.parse(given);
  const base = new URL(baseUrl);
  const top = base.pathname.replace(/\/$/, '');
  const isBelow =
    url?.origin === base.origin &&
    url.username + url.password === '' &&
    url.pathname.startsWith(`${top}/`);
  if (isBelow) return url.pathname.slice(top.length) + url.search;
  // Shells of Git for Windows change /v1/doc to C:/Program Files/Git/v1/doc.
  const hint = /^[a-z]:\//i.test(given)
    ? 'If the shell changed it to a file path, leave out the first slash.'
    : 'The key is sent nowhere else. Give a path below it, such as /v1/doc';
  throw new UsageError(`PATH is not below the base URL ${baseUrl}`, { hint });
}

/** A `name=value` word: a string with `-f`, JSON with `-F`. */
interface Field {
  readonly flag: '-f' | '-F';
  readonly name: string;
  readonly text: string;
}

/** The fields of a request, in the order of the command line. */
function readFields(given: readonly OrderedFlag[]): Field[] {
  return given.map(({ flag, value }) => split(value, flag === '-F' ? '-F' : '-f'));
}

function split(word: string, flag: Field['flag']): Field {
  const at = word.indexOf('=');
  if (at > 0) return { flag, name: word.slice(0, at), text: word.slice(at + 1) };
  const form = flag === '-f' ? 'name=value' : 'name=json';
  throw new UsageError(`${flag}: ${JSON.stringify(word)} is not ${form}`);
}

/** `path` with fields added to its query. A name may be repeated. */
function withQuery(path: string, fields: readonly Field[]): string {
  if (fields.length === 0) return path;
  const query = new URLSearchParams();
  for (const field of fields) query.append(field.name, queryText(field));
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function queryText(field: Field): string {
  const value = toValue(field);
  if (typeof value === 'string') return value;
  // A number, true or false has the same text in a query as in JSON.
  if (/^[^[{n]/.test(field.text.trim())) return field.text.trim();
  throw new UsageError(`${field.flag}: ${field.name} must be a single value in a query`);
}

/** An array made by names ending in `[]`. */
class Items {
  readonly values: unknown[] = [];
}

/** A JSON object of fields, as text: `a=v`, `a[b]=v` for a nested object, `a[]=v` for an array. */
function bodyOf(fields: readonly Field[]): string {
  const body = new Map<string, unknown>();
  for (const field of fields) put(field, body);
  return JSON.stringify(body, (_name, value: unknown) => {
    // fromEntries makes even `__proto__` a plain property.
    if (value instanceof Map) return Object.fromEntries(value);
    return value instanceof Items ? value.values : value;
  });
}

/** Adds a field to a body; nested objects and arrays must come from names, not from JSON values. */
function put(field: Field, body: Map<string, unknown>): void {
  const { around, name, inArray } = placeOf(field);
  let target = body;
  for (const one of around) {
    if (!target.has(one)) target.set(one, new Map());
    const next = target.get(one);
    if (!(next instanceof Map)) throw misplaced(field);
    target = next;
  }
  if (inArray && !target.has(name)) target.set(name, new Items());
  const present = target.get(name);
  if (inArray && present instanceof Items) present.values.push(toValue(field));
  else if (target.has(name)) throw misplaced(field);
  else target.set(name, toValue(field));
}

/** `a[b][c]` and `a[b][c][]` are `c`, in `b`, in `a`. */
function placeOf({ flag, name }: Field) {
  const [, first = '', brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const around = [first, ...[...brackets.matchAll(/\[(.*?)\]/g)].map(([, inner = '']) => inner)];
  const inArray = around.length > 1 && around.at(-1) === '';
  if (inArray) around.pop();
  const last = around.pop() ?? '';
  if (last !== '' && !around.includes('')) return { around, name: last, inArray };
  throw new UsageError(`${flag}: ${JSON.stringify(name)} is not a name`, {
    hint: 'Use a, a[b] or a[]. For anything else, give a as JSON, with -F a=...',
  });
}

function misplaced({ flag, name }: Field): UsageError {
  return new UsageError(`${flag}: ${name} conflicts with an earlier field`);
}

function toValue({ flag, name, text }: Field): unknown {
  if (flag === '-f') return text;
  try {
    return parseExact(text);
  } catch {
    throw new UsageError(`-F: the value of ${name} is not JSON`, {
      hint: 'Give strings with -f',
    });
  }
}
