import type { MessageCheck, Report } from './check.ts';
import { type EmailPart, emailParts, type MessageContent } from './message.ts';
import type { Severity } from './severity.ts';

/** A finding with the place of the first occurrence as an offset in its part of the message. */
export interface FoundAt {
  /** That of its check, or `support/` and the name of a feature that mail programs do not support. */
  readonly code: string;
  readonly severity: Severity;
  readonly where: EmailPart;
  /** In how many places it was found. */
  readonly count: number;
  /** One sentence. It may quote any characters of the email, so make them visible. */
  readonly message: string;
  /** The percentage of people whose mail program does not support it; only for `support/…`. */
  readonly share?: number;
  /** The page that explains it. */
  readonly url: string;
  readonly at: number | undefined;
  readonly atWritten?: number | undefined;
  /** Findings of other emails with the same key are about the same mistake. */
  readonly key: string;
  /** What a list under the check's title says of it. */
  readonly item: string;
  /** Whether it may be meant. */
  readonly isLikely: boolean;
}

/** What these checks find in a message, in the order of its parts and places, each kind of finding once. */
export function collect(
  message: MessageContent,
  checks: readonly MessageCheck[],
): readonly FoundAt[] {
  const found = new Map<string, FoundAt>();
  for (const check of checks) check.find(message, reporter(check, found));
  return [...found.values()].sort(
    (a, b) =>
      emailParts.indexOf(a.where) - emailParts.indexOf(b.where) || (a.at ?? -1) - (b.at ?? -1),
  );
}

function reporter(check: MessageCheck, found: Map<string, FoundAt>): Report {
  return ({ where, message, item = message, at, count = 1, key = message, ...more }) => {
    const { kind, severity = check.severity, isLikely = false, share, url, atWritten } = more;
    const code = kind === undefined ? check.code : `${check.code}/${kind}`;
    const id = `${code} ${where} ${key}`;
    const before = found.get(id);
    if (before !== undefined) {
      const isEarlier = at !== undefined && before.at !== undefined && at < before.at;
      const first = isEarlier ? { ...before, message, item, at } : before;
      found.set(id, { ...first, count: before.count + count });
      return;
    }
    found.set(id, {
      ...{ code, severity, where, count, message },
      ...(share === undefined ? {} : { share }),
      ...{ url: url ?? `docs/check.md#${check.code}`, at, atWritten, key: id, item, isLikely },
    });
  };
}
