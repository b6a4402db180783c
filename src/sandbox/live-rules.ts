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
