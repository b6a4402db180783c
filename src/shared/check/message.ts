import type { Severity } from './severity.ts';

/** Parts of an email in which something is found, in the order in which findings are shown. */
export const emailParts = [
  /** The file itself. */
  'file',
  ...(['name', 'from', 'to', 'replyTo', 'cc', 'bcc'] as const),
  ...(['subject', 'preview', 'headers', 'html', 'content', 'text', 'variables'] as const),
  'attachments',
] as const;

export type EmailPart = (typeof emailParts)[number];

/** The parts that are a text that readers see. */
export const textParts = ['subject', 'preview', 'html', 'content', 'text'] as const;

export type TextPart = (typeof textParts)[number];

/** What the server of a link revealed about it. */
export interface LinkAnswer {
  readonly code: 'link-broken' | 'link-private' | 'link-redirect' | 'link-unavailable';
  readonly message: string;
  readonly severity?: Severity | undefined;
}

type Addresses = string | readonly string[] | null | undefined;

/** What recipients get, as far as it is known, whatever it was made from. It never changes. */
export interface MessageContent {
  readonly kind: 'email' | 'campaign' | 'template' | 'confirmation';
  readonly subject?: string | undefined;
  readonly previewText?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  /** A document of the dashboard's editor, as JSON. */
  readonly content?: string | undefined;
  /** The Markdown that the HTML is made of: the signs of other programs get lost on the way. */
  readonly writtenBody?: string | undefined;
  readonly addresses?:
    | Readonly<Partial<Record<'from' | 'to' | 'replyTo' | 'cc' | 'bcc', Addresses>>>
    | undefined;
  /** The name of a campaign or a template. */
  readonly name?: string | undefined;
  /** Values for a stored template. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The values of a row that it was made from, by their names. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** Undefined if the headers are not known. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly attachments?:
    | readonly { readonly filename: string; readonly bytes: number }[]
    | undefined;
  /** Whether this is only a part of an email: something missing may be in another part. */
  readonly isPart?: boolean | undefined;
  /** Whether a stored template provides subject and HTML, so that they may be missing here. */
  readonly hasTemplate?: boolean | undefined;
  /** Whether placeholders are meant as they are written. */
  readonly literal?: boolean | undefined;
  /** Whether `cid:` can refer to embedded images. Requests to the service cannot embed any. */
  readonly embedsImages?: boolean | undefined;
  /** By the link's URL without its fragment; undefined if no server was asked. */
  readonly answers?: ReadonlyMap<string, LinkAnswer> | undefined;
  /** Placeholders that are meant as they are written, such as those with a backslash in Markdown. */
  readonly meant?: readonly string[] | undefined;
  /** Whether a text with signs of a placeholder is a value of a person, who may mean it. */
  readonly isData?: ((written: string, where: TextPart) => boolean) | undefined;
  /** Whether another program wrote this part of a message: what looks like a placeholder may be meant. */
  readonly isOfOthers?: ((where: EmailPart) => boolean) | undefined;
  /**
   * Whether something fills in a placeholder: `maybe` if that depends on the contact book. By default, what the kind of
   * message says.
   */
  readonly fills?: ((written: string, where: TextPart) => boolean | 'maybe') | undefined;
  /** The contacts for whom the placeholder of this name is empty, in words; undefined if there are none. */
  readonly blankFor?: ((name: string) => string | undefined) | undefined;
}

/** The texts of a message with their parts, but those that are empty. */
export function textsOf(message: MessageContent): readonly (readonly [TextPart, string])[] {
  const texts: [TextPart, string][] = [];
  for (const part of textParts) {
    const text = message[part === 'preview' ? 'previewText' : part];
    if (text) texts.push([part, text]);
  }
  return texts;
}

/** The texts in addresses and headers with their parts. */
export function envelopeTexts({
  addresses = {},
  headers = {},
}: MessageContent): readonly (readonly [EmailPart, string])[] {
  const parts = ['from', 'to', 'replyTo', 'cc', 'bcc'] as const;
  return [
    ...parts.flatMap((part) =>
      [addresses[part] ?? []].flat().map((text: string) => [part, text] as const),
    ),
    ...Object.values(headers).map((text) => ['headers', text] as const),
  ];
}
