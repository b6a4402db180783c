import { nullableSendFields } from '../api/email.ts';
import { limits } from '../api/limits.ts';
import type { OperationId } from '../api/operations.ts';
import { ApiError } from './errors.ts';

/**
 * What live servers make of a query before they check it, where that is not an error of the
 * input: changes `query`, or throws.
 */
export function applyLiveRules(id: string, query: URLSearchParams): void {
  if (Object.hasOwn(rules, id)) rules[id]?.(query);
}

const rules: Readonly<Record<string, (query: URLSearchParams) => void>> = {
  'email.list': refusePageZero,
  'campaign.list': refusePageZero,
  'reputation.events': clampLimit,
} satisfies Partial<Record<OperationId, (query: URLSearchParams) => void>>;

/** Live servers count `(page - 1) * size` rows from the start, and fail on a negative number. */
function refusePageZero(query: URLSearchParams): void {
  const page = query.get('page');
  if (page !== null && Number(page) === 0) {
    throw new ApiError('INTERNAL_SERVER_ERROR', 'something unexpected happened');
  }
}

function clampLimit(query: URLSearchParams): void {
  const text = query.get('limit');
  if (text === null) return;
  const { min, max, default: fallback } = limits.reputationEvents;
  const given = Math.trunc(Number(text === '' ? Number.NaN : text));
  const limit = Number.isNaN(given) ? fallback : Math.min(max, Math.max(min, given));
  query.set('limit', String(limit));
}

/** The body as live servers read it: an email's optional parts may be null, which is none. */
export function liveBodyOf(id: string, body: unknown): unknown {
  if (id === 'email.send') return withoutNulls(body);
  if (id === 'email.batch' && Array.isArray(body)) return body.map(withoutNulls);
  return body;
}

function withoutNulls(email: unknown): unknown {
  if (typeof email !== 'object' || email === null || Array.isArray(email)) return email;
  const given = Object.entries(email);
  return Object.fromEntries(
    given.filter(([key, value]) => value !== null || !nullableSendFields.includes(key)),
  );
}
