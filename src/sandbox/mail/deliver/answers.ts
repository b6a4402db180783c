/** A server's response to a message for one recipient. */
export interface SmtpReply {
  /** `later`: to be retried. */
  readonly kind: 'accepted' | 'refused' | 'later';
  /** The text on one line, or what happened instead of a response. */
  readonly response: string;
}

/** The server accepts no mail at all: it cannot be reached, or rejects the login. */
export class ServerUnavailable extends Error {}

/** nodemailer's result for a message that was accepted for at least one recipient. */
interface Accepted {
  readonly response: string;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** nodemailer's `NodemailerError`, with the fields used here. */
interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly permanent?: boolean | undefined;
  readonly timeoutType?: string | undefined;
  /** As in the envelope. */
  readonly recipient?: string | undefined;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** Hides secrets in a server's response. */
type Hide = (text: string) => string;

/** The response for each of `recipients`, spelled as in the envelope. */
export function answersOf(
  info: Accepted,
  recipients: readonly string[],
  hide: Hide,
): Map<string, SmtpReply> {
  const accepted: SmtpReply = { kind: 'accepted', response: oneLine(hide(info.response)) };
  const answers = new Map(recipients.map((recipient) => [recipient, accepted]));
  return withRejections(answers, info.rejectedErrors ?? [], hide);
}

/**
 * The response for each of `recipients` if the message was accepted for none of them. Throws
 * `ServerUnavailable` if the error is not about this message.
 */
export function answersOfError(failure: unknown, recipients: readonly string[], hide: Hide) {
  // nodemailer throws errors only, and all other fields are optional.
  const error = failure as SmtpError;
  if (isUnavailable(error)) throw unavailable(error, hide);
  const answers = new Map(recipients.map((recipient) => [recipient, answerOf(error, hide)]));
  return withRejections(answers, error.rejectedErrors ?? [], hide);
}

export function unavailable(error: Error, hide: Hide): ServerUnavailable {
  return new ServerUnavailable(oneLine(hide(error.message)), { cause: error });
}

function withRejections(
  answers: Map<string, SmtpReply>,
  rejections: readonly SmtpError[],
  hide: Hide,
) {
  for (const rejection of rejections) {
    const { recipient } = rejection;
    if (recipient !== undefined) answers.set(recipient, answerOf(rejection, hide));
  }
  return answers;
}

/**
 * If the connection is lost before the response, the outcome is unknown. Following RFC 5321, section 4.5.4.1,
 * the message is sent again: it may arrive twice, with the same Message-ID.
 */
function answerOf({ permanent, response, message }: SmtpError, hide: Hide): SmtpReply {
  return {
    kind: permanent === true ? 'refused' : 'later',
    response: oneLine(hide(response ?? message)),
  };
}

/** nodemailer's codes for failures that precede any message. */
const beforeMessages = ['EDNS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EPROXY', 'ECONFIG'];

/** Rejections of the client, not of the message: RFC 4954, section 6, and RFC 3207, section 4. */
const notLetIn = [454, 530, 534, 535, 538];

function isUnavailable({ code, syscall, command, responseCode, timeoutType }: SmtpError): boolean {
  if (responseCode !== undefined && notLetIn.includes(responseCode)) return true;
  return (
    beforeMessages.includes(code ?? '') ||
    syscall === 'connect' ||
    (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT') ||
    (responseCode !== undefined && /^(CONN|EHLO|HELO|STARTTLS|AUTH)/.test(command ?? ''))
  );
}

const longestResponse = 1000;

function oneLine(text: string): string {
  return (
    text
      .trim()
      // Cut first, because the pattern takes quadratic time for a long run of spaces.
      .slice(0, longestResponse)
      .replace(/\s*[\r\n]+\s*/g, ' ')
  );
}
