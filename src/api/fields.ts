import * as z from 'zod';
import { isMailbox } from './address.ts';
import { lenientObject, nullish, nullishBoolean } from './lenient.ts';

/** Schemas that several resources share. */

/** A string that is not empty: the service rejects empty ones. */
export const text = z.string().min(1);

/** A header value such as a subject: one line, since RFC 5322, section 2.2 allows no bare CR or LF. */
export const singleLine = text.regex(/^[^\r\n]*$/, 'must not contain a line break');

/** One mailbox, with or without a display name (RFC 5322, section 3.4), that `isValid`. */
export const mailboxIf = (isValid: (value: string) => boolean) =>
  text.refine(isValid, { error: (issue) => notAMailbox(issue.input) });

export const mailbox = mailboxIf(isMailbox);

/** The most issues reported for one list or map. Checking stops there. */
const problemsNamed = 100;

// Not `superRefine`, here and below: what it allocates for each value stays in memory until V8's next full
// garbage collection. Checks after this one are made, too, if an issue says `continue`.

/** One mailbox, or several. The specification allows only a string; live servers also accept an array. */
export const mailboxesIf = (isValid: (value: string) => boolean) =>
  z
    .union([text, z.array(text).min(1)], {
      error: 'must be an email address or a list of them',
    })
    .check(({ value, issues }) => {
      let problems = 0;
      for (const [index, one] of (typeof value === 'string' ? [value] : value).entries()) {
        // Rejecting an invalid address is slow.
        if (problems === problemsNamed) break;
        // An empty one already has an issue.
        if (one === '' || isValid(one)) continue;
        problems++;
        issues.push({
          code: 'custom',
          input: value,
          path: typeof value === 'string' ? [] : [index],
          message: notAMailbox(one),
          continue: true,
        });
      }
    });

export const mailboxes = mailboxesIf(isMailbox);

function notAMailbox(value: unknown): string {
  return value === '' ? 'must not be empty' : `${JSON.stringify(value)} is not an email address`;
}

/**
 * An id in a path. Ids are opaque, but one that would change the path's meaning, such as `../../x`, `a/b` or
 * `a?b`, is an error before anything is sent. The pattern avoids \p{Cc} because it also appears in a JSON
 * Schema, whose readers may not know it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is not allowed.
export const pathId = text.regex(/^(?!\.{1,2}$)[^\s/\\?#%\u0000-\u001f\u007f-\u009f]+$/, {
  error: (issue) => `${JSON.stringify(issue.input)} cannot be an id`,
});

/** ISO 8601 date and time with a zone: `2026-01-31T09:00:00Z` or with an offset. */
export const dateTime = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 date and time with a time zone, such as 2026-01-31T09:00:00Z',
});

/** ISO 8601 in UTC, `Z` only: some operations reject an offset. */
export const utcDateTime = z.iso.datetime({
  error: 'must be an ISO 8601 date and time in UTC, such as 2026-01-31T09:00:00Z',
});

/** RFC 5322, section 2.2: printable ASCII without colon. */
const headerName = /^[!-9;-~]+$/;
const headerValue = /^[^\r\n]+$/;

/** Custom email headers. `z.record` alone would report up to a million issues. */
export const headers = z
  // The type of a value is checked below.
  .record(z.string(), z.unknown() as z.ZodType<string>)
  .check(({ value: given, issues }) => {
    let problems = 0;
    for (const name in given) {
      const problem = headerProblem(name, given[name]);
      if (problem === undefined) continue;
      issues.push({ ...problem, input: given[name], path: [name], continue: true });
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
    return { code: 'invalid_type', expected: 'string' } as const;
  }
  if (headerValue.test(value)) return undefined;
  if (value === '') {
    return { code: 'too_small', minimum: 1, origin: 'string', inclusive: true } as const;
  }
  return { code: 'custom', message: 'must not contain a line break' } as const;
}

/** Addresses in a response: a string on some servers, an array on others. */
export const shownAddresses = nullish(z.union([z.string(), z.array(z.string())]));

/** `{ success }`, the response of operations that return nothing else. */
export const successReply = lenientObject({ success: nullishBoolean });
