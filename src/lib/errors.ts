/** Exit codes by the stable name that JSON errors carry. Scripts rely on both. */
export const exitCodes = {
  rejected: 1,
  internal: 1,
  usage: 2,
  policy: 2,
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
  interrupted: 130,
  terminated: 143,
} as const;

export type ErrorCode = keyof typeof exitCodes;

/** One problem with one field of a request; `path` as in the request body. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a policy does not allow. */
export interface PolicyRefusal {
  /** Such as `allow-to`. */
  readonly rule: string;
  /** Where the rule stands, in words. */
  readonly place: string;
  readonly addresses: readonly string[];
}

/** What is known about an error beyond its message. What text and JSON show stands first. */
export interface ErrorDetails {
  /** What to do next, as a sentence. */
  readonly hint?: string | undefined;
  /** HTTP status of the service's response. */
  readonly status?: number | undefined;
  /** The service's own code, such as `NOT_UNIQUE`. */
  readonly apiCode?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly requestId?: string | undefined;
  /** The key under which the request can be repeated safely. */
  readonly idempotencyKey?: string | undefined;
  /** The rule that a policy refused it by. */
  readonly refusal?: PolicyRefusal | undefined;
  /** What is known of the request, where it is one that failed. */
  readonly request?: FailedRequest | undefined;
  /** The exit code, where a command has one of its own for it. */
  readonly exitCode?: number | undefined;
  readonly cause?: unknown;
}

/** A request that failed. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
  /** Whether it may have changed something although no response says so. */
  readonly outcomeUnknown: boolean;
  /** Whether an earlier try had no response, or none that says whether it was carried out. */
  readonly unansweredBefore?: boolean;
  /** Whether a proxy may have responded in the service's place: the response was not JSON. */
  readonly mayBeOfProxy?: boolean;
}

/** An error as data, before it is thrown. */
export interface Problem extends ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Base of every error a command may end with, one class per cause. It never changes: see `withHint`. */
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

  /** Whether it is a request that may have changed something although no response says so. */
  get outcomeUnknown(): boolean {
    return this.details.request?.outcomeUnknown === true;
  }
}

/** The base of one class of errors. */
function kind<Code extends ErrorCode>(code: Code) {
  return class extends MailerError {
    readonly code = code;
  };
}

/** Bad flags or input. Nothing was sent. */
export class UsageError extends kind('usage') {}

/** A policy does not allow it, or it is not what `--expect` names. Nothing was sent. */
export class PolicyError extends kind('policy') {}

/** The service rejected the request: 400, 422 and other responses that no other class is for. */
export class RejectedError extends kind('rejected') {}

/** No key, a rejected key, or something this key or account may not do: 401, 403. */
export class AuthError extends kind('auth') {}

export class NotFoundError extends kind('not_found') {}

/** 404 to an endpoint that this service does not have, while it has others. */
export class NotOfferedError extends kind('not_offered') {}

/** Still 409 after waiting: the idempotency key was used for another body. */
export class ConflictError extends kind('conflict') {}

/** Still 429 after all retries. */
export class RateLimitedError extends kind('rate_limited') {}

/** Network, timeout, TLS, proxy or 5xx, after all retries. */
export class UnavailableError extends kind('unavailable') {}

/** A response that is not what the contract says. */
export class BadReplyError extends kind('bad_reply') {}

/** The awaited thing ended badly: domain FAILED, email BOUNCED. */
export class WaitFailedError extends kind('wait_failed') {}

/** The awaited thing did not end in time. */
export class WaitTimeoutError extends kind('wait_timeout') {}

/** A bulk run has finished, but some of its rows were not accepted. */
export class PartialError extends kind('partial') {}

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
  interrupted: InterruptedError,
  terminated: TerminatedError,
};

/** The error that a problem is, to be thrown. */
export function toError({ code, message, ...details }: Problem): MailerError {
  return new classes[code](message, details);
}

/** An error as data; an error made of it has this one as its cause. */
export function problemOf(error: MailerError): Problem {
  const { code, message, details } = error;
  return { ...details, code, message, cause: error };
}

/** The same error with another hint. Unchanged if `hint` is undefined, or it is not a `MailerError`. */
export function withHint<Thrown>(
  thrown: Thrown,
  hint: string | undefined | ((error: MailerError) => string | undefined),
): Thrown | MailerError {
  if (!(thrown instanceof MailerError)) return thrown;
  const said = typeof hint === 'function' ? hint(thrown) : hint;
  return said === undefined ? thrown : toError({ ...problemOf(thrown), hint: said });
}
