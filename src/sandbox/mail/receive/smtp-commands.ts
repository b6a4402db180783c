/** Where mail over SMTP can be made to fail: at the greeting, and at commands. `DATA` is the response to a whole message. */
export const smtpCommands = ['CONNECT', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const;

export type SmtpCommand = (typeof smtpCommands)[number];

/** A failure on purpose. */
export type SmtpFailure =
  /** The reply, with its code. */
  | { readonly kind: 'reply'; readonly code: number; readonly text: string }
  /** The connection is closed instead of a reply. */
  | { readonly kind: 'drop' }
  /** The same, after a message was stored. */
  | { readonly kind: 'drop-reply' };
