import type { WireReply } from './system/wire.ts';

/** Exit codes by the stable name that JSON errors carry. Scripts rely on both. */
export const exitCodes = {
  rejected: 1,
  internal: 1,
  usage: 2,
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

/** One complaint about one field of a request; `path` as in the request body. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is known about an error beyond its message. All of it is shown, in text and in JSON. */
export interface ErrorDetails {
  /** What to do next, as a sentence. */
  hint?: string | undefined;
  /** HTTP status of the service's answer. */
  status?: number | undefined;
  /** The service's own code, such as `NOT_UNIQUE`. */
  apiCode?: string | undefined;
  issues?: readonly Issue[] | undefined;
  requestId?: string | undefined;
  /** The key under which the request can be repeated safely. */
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

/**
 * Base of every error a command may end with. One class per cause; the message is one sentence
 * for people, `code` is for scripts.
 */
export abstract class MailerError extends Error {
  abstract readonly code: ErrorCode;
  /** Completed on the way up by those who know more. */
  details: ErrorDetails;
  /** Whether the request may have been carried out although no answer says so. */
  outcomeUnknown = false;
  /** Whether an earlier request of the same call had no answer. */
  unansweredBefore = false;
  /** Whether a proxy may have said so in the service's place: its answer was not JSON. */
  mayBeOfProxy = false;
  /** The request that failed, where it was one. */
  request: { readonly method: string; readonly path: string } | undefined;
  /** The answer that the request ended with, as far as there was one. */
  reply: WireReply | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }
}

/** Bad flags or input. Nothing was sent. */
export class UsageError extends MailerError {
  readonly code = 'usage';
}

/** The service refused the request: 400, 422 and other answers that no other class is for. */
export class RejectedError extends MailerError {
  readonly code = 'rejected';
}

/** No key, a refused key, or something this key or account may not do: 401, 403. */
export class AuthError extends MailerError {
  readonly code = 'auth';
}

export class NotFoundError extends MailerError {
  readonly code = 'not_found';
}

/** 404 to an endpoint that this service does not have, while it has others. */
export class NotOfferedError extends MailerError {
  readonly code = 'not_offered';
}

/** Still 409 after waiting: the idempotency key was used for another body. */
export class ConflictError extends MailerError {
  readonly code = 'conflict';
}

/** Still 429 after all retries. */
export class RateLimitedError extends MailerError {
  readonly code = 'rate_limited';
}

/** Network, timeout, TLS, proxy or 5xx, after all retries. */
export class UnavailableError extends MailerError {
  readonly code = 'unavailable';
}

/** An answer that is not what the contract says. */
export class BadReplyError extends MailerError {
  readonly code = 'bad_reply';
}

/** The awaited thing ended badly: domain FAILED, email BOUNCED. */
export class WaitFailedError extends MailerError {
  readonly code = 'wait_failed';
}

/** The awaited thing did not end in time. */
export class WaitTimeoutError extends MailerError {
  readonly code = 'wait_timeout';
}

/** A bulk run has finished, but some of its rows were not accepted. */
export class PartialError extends MailerError {
  readonly code = 'partial';
}

/** Ctrl-C. */
export class InterruptedError extends MailerError {
  readonly code = 'interrupted';
}

/** SIGTERM. */
export class TerminatedError extends MailerError {
  readonly code = 'terminated';
}

/** A defect of this program. */
export class InternalError extends MailerError {
  readonly code = 'internal';
}
