/** Exit codes by the stable name that JSON errors have. Scripts rely on both. */
export const exitCodes = {
  rejected: 1,
  internal: 1,
  usage: 2,
  policy: 2,
  approval_needed: 2,
  auth: 3,
  not_found: 4,
  not_offered: 4,
  conflict: 5,
  rate_limited: 6,
  unavailable: 7,
  bad_reply: 8,
  wait_failed: 9,
  wait_timeout: 10,
  partial: 11,
  output_failed: 12,
  interrupted: 130,
  terminated: 143,
} as const;

export type ErrorCode = keyof typeof exitCodes;

/** One problem with one field of a request; `path` as in the request body. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A violation of a policy. */
export interface PolicyRefusal {
  /** The rule, such as `allow-to`. */
  readonly rule: string;
  /** Where the rule is defined, in words. */
  readonly place: string;
  readonly addresses: readonly string[];
}

/** Details of an error besides its message. Those that text and JSON show come first. */
export interface ErrorDetails {
  /** What to do next, as a sentence. */
  readonly hint?: string | undefined;
  /** HTTP status of the service's response. */
  readonly status?: number | undefined;
  /** The service's own code, such as `NOT_UNIQUE`. */
  readonly apiCode?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  /** The key under which the request can safely be repeated. */
  readonly idempotencyKey?: string | undefined;
  /** The ids of what was changed or sent before the error. */
  readonly ids?: readonly string[] | undefined;
  /** The name of the bulk run that was carried out before the error. */
  readonly run?: string | undefined;
  /** The id of the entry in the outbox that was stored in place of sending. */
  readonly outbox?: string | undefined;
  /** The rule of a policy that does not allow it. */
  readonly refusal?: PolicyRefusal | undefined;
  /** After a wait: since when the service has not responded (ISO 8601), and the last known status, or null. */
  readonly unreachableSince?: string | undefined;
  readonly last?: string | null | undefined;
  /**
   * Whether the request would fail again for the same reason, if its code does not say so: true for a name
   * that does not exist, false for a page in place of the service.
   */
  readonly lasts?: boolean | undefined;
  /** Milliseconds that the service asked to wait before a request that was not sent, for want of time. */
  readonly asked?: number | undefined;
  /** The failed request, if there was one. */
  readonly request?: FailedRequest | undefined;
  /** The exit code, if a command has a special one for this error. */
  readonly exitCode?: number | undefined;
  readonly cause?: unknown;
}

/** A request that failed. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
  /** Whether it may have changed something although no response confirms it. */
  readonly outcomeUnknown: boolean;
  /** Whether an earlier attempt got no response, or none that says whether the request was carried out. */
  readonly unansweredBefore?: boolean;
  /** Whether a proxy may have responded instead of the service: the response was not JSON. */
  readonly mayBeOfProxy?: boolean;
  /** Whether repeating the command cannot tell either if it was carried out. */
  readonly isUnclear?: boolean;
}

/** An error as data, not thrown yet. */
export interface Problem extends ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Base of every error that may end a command, with one class per cause. Errors never change: see `withHint`.
 */
export abstract class MailerError extends Error {
  abstract readonly code: ErrorCode;
  declare readonly message: string;
  readonly details: ErrorDetails;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }

  /** Whether a request may have changed something although no response confirms it. */
  get outcomeUnknown(): boolean {
    return this.details.request?.outcomeUnknown === true;
  }
}

/** Creates the base of one class of errors. */
function kind<Code extends ErrorCode>(code: Code) {
  return class extends MailerError {
    readonly code = code;
  };
}

/** Bad flags or input. Nothing was sent. */
export class UsageError extends kind('usage') {}

/** Others control a file that an email is made from. Nothing was sent. */
export class ForeignFileError extends kind('usage') {}

/** A policy does not allow it, or it differs from what `--expect` identifies. Nothing was sent. */
export class PolicyError extends kind('policy') {}

/** A policy asks that a person approves it. Nothing was sent. */
export class ApprovalNeededError extends kind('approval_needed') {}

/** The service rejected the request: 400, 422 and other responses without a class of their own. */
export class RejectedError extends kind('rejected') {}

/** There is no key, it was rejected, or the key or account has no permission: 401, 403. */
export class AuthError extends kind('auth') {}

export class NotFoundError extends kind('not_found') {}

/** 404 for an endpoint that this service lacks, although it has others. */
export class NotOfferedError extends kind('not_offered') {}

/** Still 409 after waiting: the idempotency key was used with another body. Or another process sends the same run. */
export class ConflictError extends kind('conflict') {}

/** Still 429 after all retries. */
export class RateLimitedError extends kind('rate_limited') {}

/** Network, timeout, TLS, proxy or 5xx, after all retries. */
export class UnavailableError extends kind('unavailable') {}

/** A response that does not follow the contract. */
export class BadReplyError extends kind('bad_reply') {}

/** What was waited for ended badly: domain FAILED, email BOUNCED. */
export class WaitFailedError extends kind('wait_failed') {}

/** What was waited for did not end in time. */
export class WaitTimeoutError extends kind('wait_timeout') {}

/** A bulk run has finished, but some of its rows were not accepted. */
export class PartialError extends kind('partial') {}

/** Something was changed or sent, but its result could not be shown. */
export class OutputFailedError extends kind('output_failed') {}

/** Ctrl-C. */
export class InterruptedError extends kind('interrupted') {}

/** SIGTERM. */
export class TerminatedError extends kind('terminated') {}

/** A defect of this program. */
export class InternalError extends kind('internal') {}

const classes: Readonly<
  Record<ErrorCode, new (message: string, details: ErrorDetails) => MailerError>
> = {
  rejected: RejectedError,
  internal: InternalError,
  usage: UsageError,
  policy: PolicyError,
  approval_needed: ApprovalNeededError,
  auth: AuthError,
  not_found: NotFoundError,
  not_offered: NotOfferedError,
  conflict: ConflictError,
  rate_limited: RateLimitedError,
  unavailable: UnavailableError,
  bad_reply: BadReplyError,
  wait_failed: WaitFailedError,
  wait_timeout: WaitTimeoutError,
  partial: PartialError,
  output_failed: OutputFailedError,
  interrupted: InterruptedError,
  terminated: TerminatedError,
};

/**
 * Whether a service rejected a request as a whole, as for an unknown sender or book: with a 400, in its own
 * words.
 */
export function isPlainRejection({ code, status, issues, request }: Problem): boolean {
  return code === 'rejected' && status === 400 && issues === undefined && !request?.mayBeOfProxy;
}

/** The error for a problem, to be thrown. */
export function toError({ code, message, ...details }: Problem): MailerError {
  return new classes[code](message, details);
}

/** An error as data. An error created from it has this one as its cause. */
export function problemOf(error: MailerError): Problem {
  const { code, message, details } = error;
  return { ...details, code, message, cause: error };
}

/** The same error with another hint. Unchanged if `hint` is undefined or `thrown` is not a `MailerError`. */
export function withHint<Thrown>(
  thrown: Thrown,
  hint: string | undefined | ((error: MailerError) => string | undefined),
): Thrown | MailerError {
  if (!(thrown instanceof MailerError)) return thrown;
  const said = typeof hint === 'function' ? hint(thrown) : hint;
  return said === undefined ? thrown : toError({ ...problemOf(thrown), hint: said });
}

/** A handler for `catch`: handles errors of this class, and throws all others on. */
export function when<Thrown extends Error, Value>(
  kind: abstract new (...given: never[]) => Thrown,
  handle: (error: Thrown) => Value,
): (error: unknown) => Value {
  return (error) => {
    if (error instanceof kind) return handle(error);
    throw error;
  };
}

/** The `UsageError` that some work throws; undefined if it throws nothing. */
export function usageErrorOf(work: () => unknown): UsageError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
