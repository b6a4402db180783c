import type { Code, Severity } from './codes.ts';

/** The part of an email that a finding is about. */
export type EmailPart =
  | 'html'
  | 'text'
  | 'subject'
  | 'preview'
  | 'headers'
  | 'attachments'
  /** The file itself. */
  | 'file';

/** Something that an email should not have, or that is missing. */
export interface EmailFinding {
  /** One of `codes`, or `support/` and the name of a feature that mail programs do not support. */
  readonly code: Code | `support/${string}`;
  readonly severity: Severity;
  readonly where: EmailPart;
  /** The file to correct, if several are checked, or if it is not the one that is checked. */
  readonly file?: string;
  /** The line of the first place, from 1; only if the place is in a text. */
  readonly line?: number;
  /** The column in characters, from 1. */
  readonly column?: number;
  /** In how many places it was found. */
  readonly count: number;
  /** If rows are checked: in how many of their emails it was found, and the numbers of the first. */
  readonly emails?: number;
  readonly rows?: readonly number[];
  /** One sentence. It may quote any characters of the email, so make them visible. */
  readonly message: string;
  /** The percentage of people whose mail program does not support it; only for `support/…`. */
  readonly share?: number;
  /** The page that explains it. */
  readonly url: string;
}

/** What the server of a link revealed about it. */
export interface LinkAnswer {
  readonly code: 'link-broken' | 'link-private' | 'link-redirect' | 'link-unavailable';
  readonly message: string;
  readonly severity?: Severity | undefined;
}

/** An email to check, with those parts of a request that are known. */
export interface CheckedEmail {
  readonly kind: 'email' | 'campaign';
  readonly subject?: string | undefined;
  readonly previewText?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  /** Whether this is only a part of an email: something missing may be in another part. */
  readonly isPart?: boolean | undefined;
  /** Whether it is a template that the service stores, whose placeholders it fills in. */
  readonly isTemplate?: boolean | undefined;
  /** Whether a stored template provides subject and HTML, so that they may be missing here. */
  readonly hasTemplate?: boolean | undefined;
  /** Whether placeholders are meant as they are written. */
  readonly literal?: boolean | undefined;
  /** Whether `cid:` can refer to embedded images. Requests to the service cannot embed any. */
  readonly embedsImages?: boolean | undefined;
  /** By the link's URL without its fragment; undefined if no server was asked. */
  readonly answers?: ReadonlyMap<string, LinkAnswer> | undefined;
  /** Undefined if the headers are not known. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?:
    | readonly { readonly filename: string; readonly bytes: number }[]
    | undefined;
}

/** Reports a finding. `at` is an offset in the text of that part. */
export type Report = (found: {
  readonly code: EmailFinding['code'];
  readonly where: EmailPart;
  readonly message: string;
  readonly at?: number | undefined;
  /** In how many places it was found, if the rule counts them itself. */
  readonly count?: number | undefined;
  /**
   * Findings with the same code and key are merged into one, with a count. The default key is the message.
   */
  readonly key?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly share?: number | undefined;
  readonly url?: string | undefined;
}) => void;
