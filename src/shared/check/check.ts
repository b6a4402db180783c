import type { EmailPart, MessageContent } from './message.ts';
import type { Severity } from './severity.ts';

/** What a request does with a message: mails it, now or later, keeps it at the service, or sends it as it was made elsewhere. */
export type Door =
  | 'now'
  | 'later'
  /** A campaign that somebody starts later. */
  | 'draft'
  /** A template, or the text that asks for confirmation. */
  | 'stored'
  /** Only to the person who runs the command. */
  | 'test'
  /** A message or a request of another program, which is sent as it is. */
  | 'raw';

/** How bad something is at each door; where a door is missing, nothing is said. */
export type AtDoors = Readonly<Partial<Record<Door, 'error' | 'warning'>>>;

/** Nobody means to send it; a test shows it all the same. */
export const stops: AtDoors = {
  ...{ now: 'error', later: 'error', draft: 'error', stored: 'error' },
  ...{ test: 'warning', raw: 'warning' },
};

/** The same, but a draft can still be corrected. */
export const stopsOnceSent: AtDoors = { ...stops, draft: 'warning' };

/** It may be meant, so it is said and sent. Nothing is said of what another program made. */
export const warns: AtDoors = {
  ...{ now: 'warning', later: 'warning', draft: 'warning', stored: 'warning', test: 'warning' },
};

/** The same, whoever made it. */
export const warnsOfAll: AtDoors = { ...warns, raw: 'warning' };

/** Reports a finding. `at` is an offset in the text of that part. */
export type Report = (found: {
  readonly where: EmailPart;
  /** One sentence. */
  readonly message: string;
  /** The same in a list under the check's title. By default, the message. */
  readonly item?: string;
  readonly at?: number | undefined;
  /** An offset in `writtenBody`, if it is not in the HTML. */
  readonly atWritten?: number | undefined;
  /** In how many places it was found, if the check counts them itself. */
  readonly count?: number | undefined;
  /** Findings of a check with the same key are merged into one, with a count. The default key is the message. */
  readonly key?: string | undefined;
  readonly severity?: Severity | undefined;
  /** Whether it may be meant, so that no door stops it. */
  readonly isLikely?: boolean | undefined;
  readonly share?: number | undefined;
  /** The end of the code, for a check that has many. */
  readonly kind?: string | undefined;
  readonly url?: string | undefined;
}) => void;

/** One row of the table of checks: what it finds, how bad that is, and how to say it. */
export interface MessageCheck<Code extends string = string> {
  readonly code: Code;
  /** In `email check`. */
  readonly severity: Severity;
  /** What it finds, in a list of codes. */
  readonly meaning: string;
  readonly doors?: AtDoors;
  /** What stands above the places that it finds, where a door says so. */
  readonly title?: (about: {
    readonly isOne: boolean;
    readonly kind: MessageContent['kind'];
    /** Whether they may be meant. */
    readonly isLikely: boolean;
  }) => string;
  /** What to do about it. */
  readonly advice?: string;
  /** What lets it through, as a sentence; by default, `--literal`. */
  readonly settle?: string;
  readonly find: (message: MessageContent, report: Report) => void;
}

/** Declares a check, keeping the exact type of its code. */
export function defineCheck<const Code extends string>(
  row: MessageCheck<Code>,
): MessageCheck<Code> {
  return row;
}
