/** The codes of the envelope, with the HTTP status of each. */
const statusOfCode = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_UNIQUE: 409,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
} as const;

type ApiErrorCode = keyof typeof statusOfCode;

/** The code of an error status, or of the most general status of its kind. */
export function codeOfStatus(status: number): ApiErrorCode {
  for (const code of apiErrorCodes) if (statusOfCode[code] === status) return code;
  return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
}

// The literal has exactly the keys of its type.
const apiErrorCodes = Object.keys(statusOfCode) as ApiErrorCode[];

/** Most errors: `{"error":{"code","message"}}`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** A reason that the response omits, for the log of requests. */
  readonly untold: string | undefined;

  constructor(code: ApiErrorCode, message: string, untold?: string) {
    super(message);
    this.code = code;
    this.untold = untold;
  }
}

/** The row of a `kind` such as `Campaign`. Throws `ApiError` NOT_FOUND if there is none. */
export function orNotFound<Row>(kind: string, row: Row | undefined): Row {
  if (row !== undefined) return row;
  throw new ApiError('NOT_FOUND', `${kind} not found`);
}

/** An internal error of live servers, whose response gives no reason; the log gets it. */
export function internalError(reason: string): ApiError {
  return new ApiError('INTERNAL_SERVER_ERROR', 'something unexpected happened', reason);
}

/** One invalid field, and details by code. `path` starts in the body, the query or the parameters. */
export interface ApiIssue {
  readonly [detail: string]: unknown;
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Input that the operation does not accept: 400 with the issues, and `ZodError` as `name`. */
export class InvalidInput extends Error {
  readonly issues: readonly ApiIssue[];

  constructor(issues: readonly ApiIssue[]) {
    super('The input is not valid');
    this.issues = issues;
  }
}

/** A 404 of the few operations whose body is `{"error":"..."}`. */
export class BareNotFound extends Error {}

/** The response to a request that threw `error`; 500 for unexpected errors. */
export function errorResponse(error: unknown): Response {
  if (error instanceof ApiError) {
    const body = { error: { code: error.code, message: error.message } };
    return Response.json(body, { status: statusOfCode[error.code] });
  }
  if (error instanceof InvalidInput) {
    const body = { success: false, error: { issues: error.issues, name: 'ZodError' } };
    return Response.json(body, { status: 400 });
  }
  if (error instanceof BareNotFound) {
    return Response.json({ error: error.message }, { status: 404 });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return errorResponse(new ApiError('INTERNAL_SERVER_ERROR', reason));
}
