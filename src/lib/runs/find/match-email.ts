import { mailboxParts, trimAddress } from '../../../api/address.ts';
import type { EmailListItem } from '../../../api/email.ts';
import type { EmailStatus } from '../../../api/email-status.ts';
import { splitList } from '../../base/input/addresses.ts';
import {
  hasSeveralRecipients,
  hidingStatuses,
  type TroubleCriteria,
} from '../../mail/email/affected.ts';
import {
  comparedAddress,
  isLike,
  matches,
  type Pattern,
  parsePattern,
} from '../../service/policy/pattern.ts';

/** What an email must be like; all of it, and of each list one. An absent list says nothing. */
export interface EmailCriteria {
  readonly statuses: readonly EmailStatus[] | undefined;
  readonly to: readonly string[] | undefined;
  readonly from: readonly string[] | undefined;
  readonly subject: readonly string[] | undefined;
  readonly ids: ReadonlySet<string> | undefined;
  /** Whether an email looks like one of a campaign. */
  readonly campaign: Matcher | undefined;
}

export type Matcher = (email: EmailListItem) => boolean;

interface Matchers {
  /** Whether an email is wanted. */
  readonly matches: Matcher;
  /** Whether it may be, because its status may hide a trouble; undefined if none can. */
  readonly mayHide: Matcher | undefined;
}

/** What tells wanted emails from others. Throws a `UsageError` for an address that cannot be one. */
export function matchersOf(wanted: EmailCriteria, trouble: TroubleCriteria | undefined): Matchers {
  const matches = matcherOf(wanted);
  if (trouble === undefined) return { matches, mayHide: undefined };
  const hiding = hidingStatuses(trouble);
  const others = matcherOf({ ...wanted, statuses: undefined });
  return {
    matches,
    mayHide: (email) =>
      hiding.has(email.latestStatus ?? '') &&
      hasSeveralRecipients(email) &&
      others(email) &&
      !matches(email),
  };
}

function matcherOf({ statuses, to, from, subject, ids, campaign }: EmailCriteria): Matcher {
  const conditions: Matcher[] = campaign === undefined ? [] : [campaign];
  if (ids !== undefined) conditions.push(({ id }) => ids.has(id));
  if (statuses !== undefined) {
    const words: ReadonlySet<string | null | undefined> = new Set(statuses);
    conditions.push(({ latestStatus }) => words.has(latestStatus));
  }
  if (to !== undefined) {
    const isWanted = addressMatcher(to, '--to');
    conditions.push(({ to, cc, bcc }) => [to, cc, bcc].flat().some(isWanted));
  }
  if (from !== undefined) {
    const isWanted = addressMatcher(from, '--from');
    conditions.push(({ from }) => isWanted(from));
  }
  if (subject !== undefined) {
    const patterns = subject.map(patternOf);
    conditions.push(({ subject }) =>
      patterns.some((pattern) => isLike(comparable(subject ?? ''), pattern)),
    );
  }
  return (email) => conditions.every((holds) => holds(email));
}

function addressMatcher(texts: readonly string[], flag: string) {
  const patterns = texts.flatMap(splitList).map((entry): Pattern => {
    const text = trimAddress(entry);
    // An address may come with a name, as a table shows it.
    return parsePattern(mailboxParts(text)?.address ?? text, flag);
  });
  return (mailbox: string | null | undefined): boolean => {
    const address = comparedAddress(mailbox ?? '');
    return address !== undefined && patterns.some((pattern) => matches(pattern, address));
  };
}

/** A text without `*` may be anywhere in the subject. */
function patternOf(text: string): string {
  const pattern = comparable(text);
  return pattern.includes('*') ? pattern : `*${pattern}*`;
}

function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
