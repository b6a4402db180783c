import * as z from 'zod';
import { isMailbox } from './address.ts';
import { shown } from './shown.ts';

/** Schemas that several resources share. */

/** A string that must say something. The service refuses empty ones. */
export const text = z.string().min(1);

/** A header value such as a subject: one line (RFC 5322, section 2.2 has no bare CR or LF). */
export const singleLine = text.regex(/^[^\r\n]*$/, 'must not contain a line break');

/** One mailbox, with or without a display name (RFC 5322, section 3.4). */
export const mailbox = text.refine(isMailbox, {
  error: (issue) => notAMailbox(issue.input),
});

/** What is said to be wrong with one list or map; when there is more, the rest is not looked at. */
const problemsNamed = 100;

/** One mailbox, or several. The specification shows a string; live servers take an array too. */
export const mailboxes = z
  .union([text, z.array(text).min(1)], {
    error: 'must be an email address or a list of them',
  })
  .superRefine((value, context) => {
    let problems = 0;
    for (const [index, one] of (typeof value === 'string' ? [value] : value).entries()) {
      // What is no address takes long to be sure of.
      if (problems === problemsNamed) break;
      // For an empty one there is an issue already.
      if (one === '' || isMailbox(one)) continue;
      problems++;
      context.addIssue({
        code: 'custom',
        path: typeof value === 'string' ? [] : [index],
        message: notAMailbox(one),
      });
    }
  });

function notAMailbox(value: unknown): string {
  return value === '' ? 'must not be empty' : `${JSON.stringify(value)} is not an email address`;
}

/**
 * An id in a path. Ids are opaque, but one that would change the path's meaning is refused before
 * anything is sent: `../../x`, `a/b`, `a?b`. No \p{Cc}: the pattern stands in a JSON Schema, and not
 * all that read those know it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are refused.
export const pathId = text.regex(/^(?!\.{1,2}$)[^\s/\\?#%\u0000-\u001f\u007f-\u009f]+$/, {
  error: (issue) => `${JSON.stringify(issue.input)} cannot be an id`,
});

/** ISO 8601 date and time with a zone: `2026-01-31T09:00:00Z` or with an offset. */
export const dateTime = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date and time with a time zone, such as 2026-01-31T09:00:00Z',
});

/** ISO 8601 in UTC, `Z` only: some operations refuse an offset. */
export const utcDateTime = z.iso.datetime({
  error: 'must be an ISO 8601 date and time in UTC, such as 2026-01-31T09:00:00Z',
});

/** RFC 5322, section 2.2: printable ASCII without colon. */
const headerName = /^[!-9;-~]+$/;
const headerValue = /^[^\r\n]+$/;

/** Custom email headers. A record with schemas of its own would find what is wrong a million times. */
export const headers = z
  // Of what type a value is, is looked at below.
  .record(z.string(), z.unknown() as z.ZodType<string>)
  .superRefine((given, context) => {
    let problems = 0;
    for (const name in given) {
      const problem = headerProblem(name, given[name]);
      if (problem === undefined) continue;
      context.addIssue({ ...problem, path: [name] });
      problems++;
      if (problems === problemsNamed) return;
    }
  })
  .meta({
    propertyNames: { type: 'string', pattern: headerName.source },
    additionalProperties: { type: 'string', pattern: headerValue.source },
  });

function headerProblem(name: string, value: unknown) {
  if (!headerName.test(name)) {
    return { code: 'custom', message: 'is not a valid header name' } as const;
  }
  if (typeof value !== 'string') {
    return { code: 'invalid_type', expected: 'string', input: value } as const;
  }
  if (headerValue.test(value)) return undefined;
  if (value === '') {
    return {
      code: 'too_small',
      minimum: 1,
      origin: 'string',
      inclusive: true,
      input: value,
    } as const;
  }
  return { code: 'custom', message: 'must not contain a line break' } as const;
}

/** Addresses in a reply: a string on some servers, an array on others. */
export const shownAddresses = shown(z.union([z.string(), z.array(z.string())]));

/** `{ success }`, the reply of operations that have nothing else to say. */
export const successReply = z.looseObject({ success: shown(z.boolean()) });
