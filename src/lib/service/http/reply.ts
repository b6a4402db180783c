import * as z from 'zod';
import type { Operation, Repeat } from '../../../api/operation.ts';
import { attempt } from '../../../shared/attempt.ts';
import { BadReplyError, type ErrorDetails, type Issue, type Problem } from '../../base/errors.ts';
import { rememberNumbers } from '../../base/json/exact-numbers.ts';
import { isTooMuch } from '../../base/json/nesting.ts';
import { longReplyParseContext, replyParseContext } from '../../base/json/zod-context.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import { boundedIssues } from './bounded-issues.ts';
import { apiRoot } from './network/base-url.ts';
import { flattenUnionIssue, maxIssues, type UnionIssue } from './union-issues.ts';

/** The schema of an error response. Made on first use, because most runs have no error. */
function errorBodySchema() {
  const issueList = z.array(
    z.object({
      path: z.array(z.union([z.string(), z.number()])).default([]),
      message: z.string().default('is not valid'),
      /** Zod 3 puts it into `invalid_union` issues. */
      get unionErrors(): z.ZodType<readonly UnionErrors[] | undefined> {
        return z
          .array(z.object({ issues: issueList }))
          .optional()
          .catch(undefined);
      },
    }),
  );
  return z.object({
    code: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    error: z
      .union([
        z.string(),
        z.object({
          code: z.string().optional().catch(undefined),
          message: z.string().optional().catch(undefined),
          issues: issueList.optional().catch(undefined),
        }),
      ])
      .optional()
      .catch(undefined),
  });
}

/** What one member of a union requires. */
interface UnionErrors {
  readonly issues: readonly ServiceIssue[];
}

/** An issue in the service's format. */
interface ServiceIssue extends Issue {
  readonly unionErrors?: readonly UnionErrors[] | undefined;
}

function withKinds({ path, message, unionErrors }: ServiceIssue): UnionIssue {
  const kinds = unionErrors?.map(({ issues }) => issues.slice(0, maxIssues).map(withKinds));
  return { path, message, kinds };
}

let errorBody: ReturnType<typeof errorBodySchema> | undefined;

/**
 * Reads the four shapes of an error response: envelope, validation, bare string, plain text (but
 * not the HTML of a proxy). `code` may also be at the top. The results are short enough to show and
 * to save. `json` is the parsed body; undefined if it is not JSON.
 */
function readRefusal(reply: WireReply, json: unknown) {
  const { message, apiCode, issues } = readWhole(reply, json);
  return {
    message: message && shortened(message),
    apiCode: apiCode && shortened(apiCode, longestCode),
    issues: issues && boundedIssues(issues),
  };
}

/** Longest code, in characters. No known service has one of 30. */
const longestCode = 200;

function readWhole(reply: WireReply, json: unknown) {
  errorBody ??= errorBodySchema();
  const parsed = errorBody.safeParse(json, replyParseContext);
  if (parsed.success) {
    const { code, message, error } = parsed.data;
    if (typeof error === 'string') return { message: error, apiCode: code };
    const issues = error?.issues?.map(withKinds).flatMap(flattenUnionIssue);
    return {
      message: error?.message ?? message ?? (issues && describeIssues(issues)),
      apiCode: error?.code ?? code,
      issues,
    };
  }
  const plain = isHtml(reply) ? '' : reply.body.trim();
  return { message: plain.length > 300 ? undefined : plain || undefined };
}

function describeIssues(issues: readonly Issue[]): string {
  const words = issues.slice(0, maxNames).map(describeIssue);
  return withOverflowCount(words, issues.length).join('; ');
}

/** One issue as text: `[1].from: must not be empty`. */
export function describeIssue({ path, message }: Issue): string {
  const where = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return where === '' ? message : `${where.replace(/^\./, '')}: ${message}`;
}

/** The problem of a response other than 2xx, and whether it may come from a proxy. */
export function problemOfReply(
  reply: WireReply,
  { baseUrl, repeat }: { readonly baseUrl: string; readonly repeat: Repeat },
): { problem: Problem; mayBeOfProxy: boolean } {
  // Parsed once, because it may be large.
  const json = parseJson(reply.body);
  const { message: said, apiCode, issues } = readRefusal(reply, json);
  const { status } = reply;
  const details: ErrorDetails = { status, apiCode, issues, requestId: requestIdOf(reply) };
  const mayBeOfProxy = json === undefined;
  const aboutUrl = aboutBaseUrl(baseUrl);
  const answer = (code: Problem['code'], message: string, hint?: string) => {
    return { problem: { ...details, code, message, hint }, mayBeOfProxy };
  };
  switch (status) {
    case 401:
      return answer('auth', said ?? 'The service requires an API key.', logIn);
    case 403:
      return answer(
        'auth',
        said ?? 'The service rejected the key or the action.',
        `${aboutKey(baseUrl)}${
          // Only sends are rejected for a blocked account, and with the same response.
          repeat === 'keyed' ? aboutBlocking : ''
        }`,
      );
    case 404:
      return answer(
        'not_found',
        said ?? 'The service responded with 404: not found.',
        mayBeOfProxy ? aboutUrl : undefined,
      );
    case 409:
      return answer(
        'conflict',
        said ?? 'The request conflicts with an earlier one.',
        repeat === 'keyed'
          ? 'This idempotency key is in use, or was used for another email. To repeat that email, repeat it exactly; only a new email needs a new key.'
          : undefined,
      );
    case 429:
      return answer(
        'rate_limited',
        said ?? 'The rate limit was exceeded.',
        'Wait, then run the command again, or allow more with --retries and --timeout.',
      );
  }
  const plain = `The service responded with ${status}`;
  if (status >= 500) return answer('unavailable', said ? `${plain}: ${said}` : `${plain}.`);
  if (status < 400) return answer('bad_reply', `${plain}, a redirect without a target.`, aboutUrl);
  return answer('rejected', said ?? `${plain}.`);
}

/** The JSON of a 2xx response. Throws a `BadReplyError` if it is not JSON. */
export function readJson(reply: WireReply, baseUrl: string): unknown {
  const json = parseJson(reply.body);
  if (json !== undefined) return json;
  const { what, hint } = insteadOfJson(reply, baseUrl);
  // Services show a page while they are being updated.
  const lasts = isHtml(reply) ? false : undefined;
  const details = { status: reply.status, requestId: requestIdOf(reply), hint, lasts };
  throw new BadReplyError(`${baseUrl} ${what}.`, details);
}

/** The hint for a key that is missing or rejected, if it is not known where it came from. */
export const logIn = 'Log in with: mailer login';

/** The hint for a key that is rejected or not allowed to do something. */
export function aboutKey(baseUrl: string): string {
  return `Check the key, and that it belongs to ${baseUrl} and is not restricted to another domain: mailer whoami`;
}

/** Added to that hint if a blocked account is rejected the same way. */
export const aboutBlocking = '. The account may also be blocked: ask the operator of the service';

/** What to check if something other than the API responded. */
function aboutBaseUrl(baseUrl: string): string {
  const usual = 'Check the base URL, whose path usually ends in /api';
  if (baseUrl.endsWith('/api')) return `${usual}: ${baseUrl}`;
  const within = apiRoot(baseUrl);
  return `${usual}. Try ${within === baseUrl ? `${baseUrl}/api` : within}`;
}

function insteadOfJson(reply: WireReply, baseUrl: string): { what: string; hint?: string } {
  const { body } = reply;
  if (body.trim() === '') return { what: 'returned an empty response' };
  const tooMuch = /^\s*[[{]/.test(body) ? isTooMuch(body) : undefined;
  if (tooMuch === 'nesting') return { what: 'returned JSON that is nested too deeply' };
  if (tooMuch === 'parts')
    return { what: 'returned JSON that is too large: it has too many values' };
  const hint = aboutBaseUrl(baseUrl);
  return isHtml(reply)
    ? { what: 'returned a web page instead of JSON', hint }
    : { what: 'returned something that is not JSON', hint };
}

/** For lists with more items, and after more replies, compiling schemas to functions pays off. */
const longList = 100;
const manyReplies = 20;
let replies = 0;

/**
 * The checked JSON of a 2xx response, unknown fields included. Throws a `BadReplyError` if it is
 * invalid, or about another id than `asked`.
 */
export function readReply<Reply>(
  reply: WireReply,
  operation: Operation & { reply: z.ZodType<Reply> },
  baseUrl: string,
  asked?: string | number,
): Reply {
  const json = readJson(reply, baseUrl);
  const isLong = ++replies > manyReplies || (Array.isArray(json) && json.length >= longList);
  const checked = operation.reply.safeParse(
    json,
    isLong ? longReplyParseContext : replyParseContext,
  );
  const found = checked.success ? otherId(checked.data, asked) : checked.error.issues.map(toIssue);
  if (found.length > 0) {
    const issues = boundedIssues(found);
    throw new BadReplyError(
      `The response to ${operation.method} ${operation.path} is not valid: ${
        readRefusal(reply, json).message ?? issues.slice(0, 3).map(describeIssue).join('; ')
      }`,
      { status: reply.status, requestId: requestIdOf(reply), issues },
    );
  }
  rememberNumbers(json, reply.body);
  // The reply schemas check but never transform, so the response itself has their type.
  return json as Reply;
}

function otherId(reply: unknown, asked: string | number | undefined): readonly Issue[] {
  const { id } = Object(reply);
  if (asked === undefined || id === asked) return [];
  return [
    { path: ['id'], message: `is ${JSON.stringify(id)} instead of ${JSON.stringify(asked)}` },
  ];
}

/** A Zod issue without Zod's own fields. JSON paths have no symbols. */
export function toIssue(issue: { path: readonly PropertyKey[]; message: string }): Issue {
  return {
    path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
    message: issue.message,
  };
}

/** The id by which the service's operator may find the request in the logs. */
export function requestIdOf(reply: WireReply): string | undefined {
  return reply.headers['x-request-id'];
}

/** The value of JSON text; undefined (which JSON cannot express) if it is invalid or too large. */
export function parseJson(text: string): unknown {
  return isTooMuch(text) === undefined ? attempt(() => JSON.parse(text), undefined) : undefined;
}

/** Whether a response is a web page. */
export function isHtml(reply: WireReply): boolean {
  return (
    (reply.headers['content-type'] ?? '').includes('html') ||
    /^\s*<(!doctype|html)/i.test(reply.body)
  );
}
