/** What a server makes of a message for one of its recipients. */
export interface Answer {
  /** `later`: it may be offered again. */
  readonly kind: 'accepted' | 'refused' | 'later';
  /** The server's words on one line, or what happened instead of an answer. */
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

/** The answer for each of `recipients`, which are as in the envelope. */
export function answersOf(info: Accepted, recipients: readonly string[]): Map<string, Answer> {
  const accepted: Answer = { kind: 'accepted', response: oneLine(info.response) };
  const answers = new Map(recipients.map((recipient) => [recipient, accepted]));
  return withRejections(answers, info.rejectedErrors);
}

/**
 * The answer for each of `recipients` when the message was taken for none of them. Throws
 * `ServerUnavailable` when it is not about this message.
 */
export function answersOfError(failure: unknown, recipients: readonly string[]) {
  // Whatever it throws is an error; all it may carry beyond that is optional.
  const error = failure as SmtpError;
  if (isUnavailable(error)) throw new ServerUnavailable(oneLine(error.message), { cause: error });
  const answers = new Map(recipients.map((recipient) => [recipient, answerOf(error)]));
  return withRejections(answers, error.rejectedErrors);
}

function withRejections(answers: Map<string, Answer>, rejections: readonly SmtpError[] = []) {
  for (const rejection of rejections) {
    if (rejection.recipient !== undefined) answers.set(rejection.recipient, answerOf(rejection));
  }
  return answers;
}

/**
 * A connection that is lost after the message went out and before the answer came leaves open
 * whether the server has it. RFC 5321, section 4.5.4.1, then has the message offered again: it may
 * come twice, under the same Message-ID, but it is not lost.
 */
function answerOf({ permanent, response, message }: SmtpError): Answer {
  return {
    kind: permanent === true ? 'refused' : 'later',
    response: oneLine(response ?? message),
  };
}

/** Codes of nodemailer for what comes before any message. */
const beforeMessages = ['EDNS', 'EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EPROXY', 'ECONFIG'];

/** Refusals of who we are, not of what we send: RFC 4954, section 6, and RFC 3207, section 4. */
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
  return text
    .trim()
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .slice(0, longestResponse);
}
