import * as z from 'zod';
import { attempt } from '../../shared/attempt.ts';
import { readableText } from '../model/email/message-text.ts';

/** The most lines of a reason, and the most characters of each. */
const linesKept = 100;
const lineLength = 500;

/** zod's message for a union without its own message. */
const noWords = 'Invalid input';

const issue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
  unionErrors: z.array(z.object({ issues: z.array(z.unknown()) })).optional(),
});

type Issue = z.infer<typeof issue>;

/** The JSON bodies of rejections. */
const refusal = z.union([
  z.object({ error: z.object({ issues: z.array(issue).min(1) }) }),
  z.object({ error: z.object({ code: z.string().optional(), message: z.string() }) }),
  z.object({ error: z.string() }),
  z.object({ code: z.string().optional(), message: z.string() }),
]);

/**
 * The reason for a rejection, from the body of the response: one line, or one per invalid field, such as
 * `[1].from: Invalid address`. For other bodies, such as a proxy's HTML, their text.
 */
export function refusalReason(body: string): string {
  const lines = reasons(body).filter((line) => line !== '');
  const shown = lines.slice(0, linesKept).map((line) => shortened(line));
  if (lines.length > linesKept) shown.push(`and ${lines.length - linesKept} more`);
  return shown.join('\n') || 'The response has no body, so it gives no reason.';
}

function reasons(body: string): string[] {
  const known = refusal.safeParse(attempt(() => JSON.parse(body), undefined));
  if (!known.success) return [textOf(body)];
  const reply = known.data;
  if ('message' in reply) return [coded(reply.code, reply.message)];
  if (typeof reply.error === 'string') return [oneLine(reply.error)];
  if ('issues' in reply.error) return reply.error.issues.flatMap((one) => issueLines(one));
  return [coded(reply.error.code, reply.error.message)];
}

function coded(code: string | undefined, message: string): string {
  return oneLine(code === undefined ? message : `${code}: ${message}`);
}

/** For a union without its own message, the issues of its members explain more. */
function issueLines(one: Issue): string[] {
  const nested = (one.message === noWords ? (one.unionErrors ?? []) : [])
    .flatMap(({ issues }) => issues)
    .map((error) => issue.safeParse(error))
    .flatMap((result) => (result.success ? issueLines(result.data) : []));
  if (nested.length > 0) return [...new Set(nested)];
  const place = pathWords(one.path);
  return [oneLine(place === '' ? one.message : `${place}: ${one.message}`)];
}

/** A path in the form `[1].attachments[0].content`. */
function pathWords(path: Issue['path']): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function textOf(body: string): string {
  const text = body.slice(0, 10_000);
  return oneLine(/^\s*</.test(text) ? readableText({ text: null, html: text }) : text);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function shortened(line: string): string {
  return line.length <= lineLength ? line : `${line.slice(0, lineLength)}…`;
}
