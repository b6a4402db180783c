import { nullableSendFields } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { OperationId } from '../../api/operations.ts';
import { type ApiIssue, InvalidInput, internalError } from '../store/errors.ts';

/** Changes `query` as live servers do before they validate it, or throws their error. */
export function applyLiveRules(id: string, query: URLSearchParams): void {
  if (Object.hasOwn(rules, id)) rules[id]?.(query);
}

const rules: Readonly<Record<string, (query: URLSearchParams) => void>> = {
  'email.list': (query) => {
    failOnPage(query);
    const domains = query.getAll('domainId').map(Number);
    if (domains.some(Number.isNaN)) throw internalError('domainId is not a number');
  },
  'campaign.list': (query) => {
    if (query.get('page') === '') query.delete('page');
    failOnPage(query);
  },
  'reputation.events': (query) => clamp(query, 'limit', limits.reputationEvents),
  'reputation.history': (query) => clamp(query, 'days', limits.reputationDays),
  'reputation.bounces': (query) => {
    clamp(query, 'days', limits.reputationDays);
    clamp(query, 'limit', limits.bounceShares);
  },
  'contact.list': refuseNumbers,
} satisfies Partial<Record<OperationId, (query: URLSearchParams) => void>>;

/** Live servers skip `(page - 1) * size` rows, and fail if that is negative or not a number. */
function failOnPage(query: URLSearchParams): void {
  const page = query.get('page');
  if (page !== null && !(Number(page) >= 1)) {
    throw internalError('page is not a number from 1 on');
  }
}

/** Live servers declare these as numbers but never convert them, so any value is an error. */
function refuseNumbers(query: URLSearchParams): void {
  const types = { expected: 'number', received: 'string' };
  const message = 'Expected number, received string';
  const issues = ['page', 'limit']
    .filter((name) => query.has(name))
    .map((name): ApiIssue => ({ code: 'invalid_type', ...types, path: [name], message }));
  if (issues.length > 0) throw new InvalidInput(issues);
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

function clamp(query: URLSearchParams, name: string, { min, max, default: usual }: Range): void {
  const [text, ...others] = query.getAll(name);
  if (text === undefined || others.length > 0) return;
  const given = Math.trunc(Number(text === '' ? Number.NaN : text));
  const value = Number.isNaN(given) ? usual : Math.min(max, Math.max(min, given));
  query.set(name, String(value));
}

/** The body without values that live servers ignore. */
export function liveBodyOf(id: string, body: unknown): unknown {
  if (id === 'email.send') return without(body, isNoneOfEmail);
  if (id === 'email.batch' && Array.isArray(body)) {
    return body.map((email) => without(email, isNoneOfEmail));
  }
  return id === 'campaign.create' ? without(body, isEmptyList) : body;
}

const optionalAddresses = new Set(['cc', 'bcc', 'replyTo']);

function isNoneOfEmail(field: string, value: unknown): boolean {
  if (value === null) return nullableSendFields.includes(field);
  return isEmptyList(field, value) || (value === '' && optionalAddresses.has(field));
}

function isEmptyList(field: string, value: unknown): boolean {
  return optionalAddresses.has(field) && Array.isArray(value) && value.length === 0;
}

function without(body: unknown, isNone: (field: string, value: unknown) => boolean): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field, value]) => !isNone(field, value)));
}
