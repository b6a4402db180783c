import type { Code, Severity } from './codes.ts';

/** The part of an email that a finding is about. */
export type EmailPart = 'html' | 'text' | 'subject' | 'preview' | 'headers' | 'attachments';

/** Something that an email should not have, or lacks. */
export interface EmailFinding {
  /** One of `codes`; what mail programs do not support is `support/` and the name of the feature. */
  readonly code: Code | `support/${string}`;
  readonly severity: Severity;
  readonly where: EmailPart;
  /** Of the first place, from 1; only where it is a place in a text. */
  readonly line?: number;
  /** In characters, from 1. */
  readonly column?: number;
  /** How many places have it. */
  readonly count: number;
  /** One sentence. Quotes from the email may hold any characters: make them visible. */
  readonly message: string;
  /** The share of people whose mail program does not support it, in percent; only for `support/…`. */
  readonly share?: number;
  /** The page that explains it. */
  readonly url: string;
}

/** What is to be said of a link, after its server was asked. */
export interface LinkAnswer {
  readonly code: 'link-broken' | 'link-private' | 'link-redirect' | 'link-unavailable';
  readonly message: string;
  readonly severity?: Severity | undefined;
}

/** An email to check: the parts of a request, as far as there are any. */
export interface CheckedEmail {
  readonly kind: 'email' | 'campaign';
  readonly subject?: string | undefined;
  readonly previewText?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  /** Whether this is only a part of an email: what it lacks may be elsewhere. */
  readonly isPart?: boolean | undefined;
  /** Whether a stored template gives subject and HTML, so that they may be missing here. */
  readonly hasTemplate?: boolean | undefined;
  /** Whether images of its own can be named by `cid:`; requests to the service have none. */
  readonly embedsImages?: boolean | undefined;
  /** Of links, by their URL without what follows `#`; undefined where no server was asked. */
  readonly answers?: ReadonlyMap<string, LinkAnswer> | undefined;
  /** Undefined where nothing is known of them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?:
    | readonly { readonly filename: string; readonly bytes: number }[]
    | undefined;
}

/** Takes what a rule finds. `at` is an offset into the text of that part. */
export type Report = (found: {
  readonly code: EmailFinding['code'];
  readonly where: EmailPart;
  readonly message: string;
  readonly at?: number | undefined;
  /** How many places have it, where the rule counts them itself. */
  readonly count?: number | undefined;
  /** Findings of one code with the same key are one, with a count; by default, those of one message. */
  readonly key?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly share?: number | undefined;
  readonly url?: string | undefined;
}) => void;
