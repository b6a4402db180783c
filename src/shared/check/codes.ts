export const severities = ['info', 'warning', 'error'] as const;

/** The severity of a finding, in rising order. */
export type Severity = (typeof severities)[number];

/** Every code, with its severity and meaning, except those of features that mail programs do not support. */
export const codes = {
  'active-content': ['error', 'scripts, event handlers and frames, which mail programs remove'],
  'attachment-count': ['error', 'more attachments than the service takes'],
  'attachment-size': ['warning', 'attachments that large mailboxes reject'],
  'attachment-type': ['error', 'a file type that services and mailboxes reject'],
  'characters-lost': ['error', 'characters for which U+FFFD stands'],
  contrast: ['warning', 'text that is hard to read on its background'],
  'dark-mode': ['info', 'the email does not declare support for dark mode'],
  'file-invalid': ['error', 'a file or a row from which no email can be made'],
  'header-ignored': ['warning', 'a header that services drop'],
  'html-unclosed': ['error', 'a quote, tag or comment that hides what follows'],
  'html-size': ['warning', 'more HTML than Gmail shows'],
  'image-alt': ['warning', 'an image without alt text'],
  'image-http': ['warning', 'an image that is loaded without encryption'],
  'image-source': ['error', 'an image that no mail program can load'],
  'link-broken': ['error', 'a link to a page that was not found; only with --links'],
  'link-empty': ['warning', 'a link to nowhere'],
  'link-http': ['warning', 'a link without encryption'],
  'link-private': ['error', 'a link to a machine that only you can reach'],
  'link-redirect': ['info', 'a link that redirects to another page; only with --links'],
  'link-syntax': ['error', 'a link that mail programs cannot open'],
  'link-tracking': ['info', 'a link with tracking parameters'],
  'link-unavailable': ['warning', 'a link whose page could not be loaded; only with --links'],
  'no-content': ['error', 'neither text nor HTML'],
  placeholder: ['error', 'a placeholder that is sent literally'],
  'preview-length': ['info', 'a preview text that is cut off'],
  'preview-missing': ['info', 'a campaign without a preview text'],
  'subject-length': ['warning', 'a subject that is cut off'],
  'subject-missing': ['error', 'an email without a subject'],
  'text-missing': ['warning', 'HTML without a text part'],
  'unsubscribe-header': ['warning', 'a campaign without the header List-Unsubscribe'],
  'unsubscribe-link': ['error', 'a campaign without an unsubscribe link'],
} as const satisfies Readonly<Record<string, readonly [severity: Severity, meaning: string]>>;

export type Code = keyof typeof codes;

/** The code that silences all findings about missing support, and the prefix of their codes. */
export const supportCode = 'support';
