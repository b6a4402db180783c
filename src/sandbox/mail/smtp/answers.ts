/** What a server makes of a message for one of its recipients. */
export interface SmtpReply {
  /** `later`: it may be offered again. */
  readonly kind: 'accepted' | 'refused' | 'later';
  /** The server's words on one line, or what happened instead of a response. */
  readonly response: string;
}

/** The server takes no mail from us at all: it cannot be reached, or does not let us in. */
export class ServerUnavailable extends Error {}

/** What nodemailer tells of a message that was taken for some recipients at least. */
interface Accepted {
  readonly response: string;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** What nodemailer's errors carry (its `NodemailerError`), as far as it matters here. */
interface SmtpError extends Error {
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
  readonly permanent?: boolean | undefined;
  readonly timeoutType?: string | undefined;
  /** As it stands in the envelope. */
  readonly recipient?: string | undefined;
  readonly rejectedErrors?: readonly SmtpError[] | undefined;
}

/** Hides secrets in a server's response. */
type Hide = (text: string) => string;

/** The response for each of `recipients`, which are as in the envelope. */
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
 * The response for each of `recipients` when the message was taken for none of them. Throws
 * `ServerUnavailable` when it is not about this message.
 */
export function answersOfError(failure: unknown, recipients: readonly string[], hide: Hide) {
  // Whatever it throws is an error; all it may carry beyond that is optional.
  const error = failure as SmtpError;
  if (isUnavailable(error)) throw unavailable(error, hide);
  const answers = new Map(recipients.map((recipient) => [recipient, answerOf(error, hide)]));
  return withRejections(answers, error.rejectedErrors ?? [], hide);
}

/** The same error as one that says so, in words that may be shown. */
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
 * If the connection is lost after the message was sent and before the response came, it is unknown
 * whether the server has it. By RFC 5321, section 4.5.4.1, it is then sent again: it may arrive
 * twice, with the same Message-ID, but it is not lost.
 */
function answerOf({ permanent, response, message }: SmtpError, hide: Hide): SmtpReply {
  return {
    kind: permanent === true ? 'refused' : 'later',
    response: oneLine(hide(response ?? message)),
  };
}

/** Codes of nodemailer for what comes before any message. */
const beforeMessages = ['EDNS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EPROXY', 'ECONFIG'];

/** Rejections of who we are, not of what we send: RFC 4954, section 6, and RFC 3207, section 4. */
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

/** Characters of a server's words that are kept. */
const longestResponse = 1000;

function oneLine(text: string): string {
  return (
    text
      .trim()
      // Cut first: for a long row of spaces, the pattern takes the square of the time.
      .slice(0, longestResponse)
      .replace(/\s*[\r\n]+\s*/g, ' ')
  );
}
