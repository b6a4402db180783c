import type * as z from 'zod';
import { limits } from '../../../api/limits.ts';
import type { Operation } from '../../../api/operation.ts';
import { nulIssues } from '../../../shared/nul-issues.ts';
import { type Issue, UsageError } from '../../base/errors.ts';
import { parseContext } from '../../base/json/zod-context.ts';
import { maxNames, quotedNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import {
  aboutVariableName,
  isBookVariable,
  isTemplateVariable,
} from '../../base/text/variable-name.ts';
import type { CheckedInput } from './build-request.ts';
import { describeIssue, toIssue } from './reply.ts';
import { flattenUnionIssue, maxIssues, type UnionIssue } from './union-issues.ts';

/** What a person calls a field of the body, such as `--reply-to` for `replyTo`. */
export type NameOf = (field: string) => string | undefined;

/**
 * Checks an operation's input against the contract. Throws one `UsageError` that lists everything
 * wrong with it. Each field is called what `nameOf` returns, else by its path.
 */
export function checkInput(operation: Operation, input: unknown, nameOf?: NameOf): CheckedInput {
  const checked = checkValue(operation.input, input);
  const names = [...droppedNames(input), ...wrongVariables(input), ...separated(operation, input)];
  // The input schemas have params, query and body of exactly these shapes.
  if ('data' in checked && names.length === 0) return checked.data as CheckedInput;
  const issues = [...('issues' in checked ? checked.issues : []), ...names];
  throw issuesError(
    issues.map(({ path, message }) => ({ path: path.slice(1), message })),
    nameOf,
  );
}

/**
 * Runs a check of a whole input. Throws a `UsageError` if deeply nested input overflows the stack.
 */
export function withinDepth<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError('The input is too large, or nested too deeply', { cause: error });
  }
}

/** One `UsageError` for all issues; it spells out the first ones. */
export function issuesError(issues: readonly Issue[], nameOf?: NameOf, hint?: string): UsageError {
  const lines = issues.slice(0, maxNames).map((issue) => inWords(issue, nameOf));
  return new UsageError(withOverflowCount(lines, issues.length).join('\n'), { issues, hint });
}

/**
 * Checks a key from the command line. The service takes 1 to 256 characters, of which a run needs some for its own
 * (`longest`); a header, visible ASCII.
 */
export function checkIdempotencyKey(key: string, longest?: number): string {
  const { min, max } = limits.idempotencyKeyLength;
  const most = longest ?? max;
  if (key.length < min || key.length > most) {
    throw new UsageError(
      `--idempotency-key: must have ${min} to ${most} characters, not ${key.length}`,
      longest !== undefined && key.length > longest
        ? { hint: 'Nothing was sent. The idempotency key of every request starts with it.' }
        : {},
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('--idempotency-key: must be visible ASCII characters without spaces');
  }
  return key;
}

/** A Zod issue with those of each union member, whose paths Zod starts at the union. */
function withKinds(issue: z.core.$ZodIssue, above: Issue['path'] = []): UnionIssue {
  const { path, message } = toIssue(issue);
  const whole = [...above, ...path];
  const kinds = issue.code === 'invalid_union' ? issue.errors : undefined;
  return {
    path: whole,
    message,
    kinds: kinds?.map((issues) => issues.slice(0, maxIssues).map((one) => withKinds(one, whole))),
  };
}

/** The first issue of each field: an empty id is too short and also not an id. */
function firstOfEachField<One extends { code?: string; path: readonly PropertyKey[] }>(
  issues: readonly One[],
): One[] {
  const seen = new Set<string>();
  return issues.filter(({ code, path }) => {
    const field = JSON.stringify(path.map(String));
    const again = seen.has(field) && code !== 'unrecognized_keys';
    seen.add(field);
    return !again;
  });
}

function inWords({ path, message }: Issue, nameOf?: NameOf): string {
  const [first, ...rest] = path;
  if (typeof first === 'number')
    return `row ${first + 1}: ${inWords({ path: rest, message }, nameOf)}`;
  if (first === undefined) return message;
  return describeIssue({ path: [nameOf?.(first) ?? first, ...rest], message });
}

/** The checked value, or all issues in mailer's words. */
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data: z.infer<Schema> } | { readonly issues: readonly Issue[] } {
  const checked = withinDepth(() =>
    schema.safeParse(value, { error: plainMessage, ...parseContext }),
  );
  const found = firstOfEachField(checked.error?.issues ?? []);
  const issues = [
    ...found.flatMap((one) => flattenUnionIssue(withKinds(one))),
    ...withinDepth(() => nulIssues(value)),
  ];
  return checked.success && issues.length === 0 ? { data: checked.data } : { issues };
}

/** A message for a Zod issue; undefined keeps the schema's own message. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${article(issue.expected)}`;
    case 'unrecognized_keys':
      return `unknown field ${quotedNames(issue.keys)}`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return issue.minimum === 1
          ? 'must not be empty'
          : `needs ${issue.minimum} or more${unit(issue.origin)}`;
      }
      return `must be ${issue.minimum} or more`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `has more than ${issue.maximum}${unit(issue.origin)}`
        : `must be ${issue.maximum} or less`;
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return undefined;
  }
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters' : ' items';
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Fields of a body whose property names people choose. */
const named = ['variables', 'headers', 'properties'] as const;

/** Properties named `__proto__`: services and these schemas silently drop them. */
function droppedNames(input: unknown): Issue[] {
  const body = property(input, 'body');
  return named.flatMap((field) => {
    const values = property(body, field);
    if (typeof values !== 'object' || values === null || !Object.hasOwn(values, '__proto__')) {
      return [];
    }
    const path = ['body', field, '__proto__'];
    return [{ path, message: 'services drop this name; choose another one' }];
  });
}

/** Names of variables that a contact book would reject, or that no stored template can use. */
function wrongVariables(input: unknown): Issue[] {
  const variables = property(property(input, 'body'), 'variables');
  const wrong = Array.isArray(variables)
    ? variables.filter((name) => typeof name === 'string' && !isBookVariable(name))
    : Object.keys(Object(variables)).filter((name) => !isTemplateVariable(name));
  return wrong.map((name) => ({ path: ['body', 'variables'], message: aboutVariableName(name) }));
}

/** Fields of one line that are headers of an email or will be; the name of a campaign may not have CR or LF either. */
const lines = ['subject', 'doubleOptInSubject'] as const;

/** What else some programs take for the end of a line: NEL, and Unicode's separators of lines and paragraphs. */
const separator = /[\u0085\u2028\u2029]/;

/** Lines with such a separator. CR and LF are errors by the contract; live servers accept these. */
function separated({ id }: Operation, input: unknown): Issue[] {
  const body = property(input, 'body');
  const found: (readonly [path: readonly string[], value: unknown])[] = [
    ...lines.map((field) => [[field], property(body, field)] as const),
    ...(id === 'campaign.create' ? [[['name'], property(body, 'name')] as const] : []),
    ...Object.entries(Object(property(body, 'headers'))).map(
      ([name, value]) => [['headers', name], value] as const,
    ),
  ];
  return found
    .filter(([, value]) =>
      [value].flat().some((one) => typeof one === 'string' && separator.test(one)),
    )
    .map(([path]) => ({ path: ['body', ...path], message: 'must not contain a line break' }));
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
