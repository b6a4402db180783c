import * as z from 'zod';
import { lenientObject, nullish, nullishBoolean, nullishNumber, nullishString } from './lenient.ts';
import { limits } from './limits.ts';
import { operation } from './operation.ts';

/**
 * One change of the account's deliverability state. `bounceRate` is a percentage from 0 to 100; `sampleSize`
 * is the number of emails it was measured over. `actor` is `suporte` when the provider's staff made the
 * change. The set of states is open.
 */
export const reputationEvent = lenientObject({
  id: z.string(),
  fromState: z.string(),
  toState: z.string(),
  bounceRate: nullishNumber,
  sampleSize: nullishNumber,
  actor: nullishString,
  reason: nullishString,
  createdAt: z.string(),
});

export type ReputationEvent = z.infer<typeof reputationEvent>;

/** Lists the changes of the deliverability state, newest first. */
export const listReputationEvents = operation('reputation.events', {
  route: 'GET /v1/reputation/events',
  input: z.strictObject({
    query: z.strictObject({
      limit: z.int().min(limits.reputationEvents.min).max(limits.reputationEvents.max).optional(),
    }),
  }),
  reply: z.array(reputationEvent),
});

const rate = nullishNumber;

/**
 * How near the account is to being blocked. Rates and thresholds are percentages. `distanceToBlock` is the
 * threshold `block` minus `bounceRate`, in percentage points, and at least 0. An account whose sample is too
 * small is not blocked, whatever its rate. The set of states is open.
 */
const reputationStatus = lenientObject({
  state: z.string(),
  bounceRate: rate,
  complaintRate: rate,
  sampleSize: nullishNumber,
  sampleSufficient: nullishBoolean,
  windowDays: nullishNumber,
  shortWindowBounceRate: rate,
  thresholds: nullish(lenientObject({ warning: rate, critical: rate, block: rate, unblock: rate })),
  distanceToBlock: nullishNumber,
  blockedAt: nullishString,
  blockedReason: nullishString,
  supervisedUntil: nullishString,
  supervisedDailyLimit: nullishNumber,
});

export type ReputationStatus = z.infer<typeof reputationStatus>;

/** The account's deliverability state now. */
export const getReputationStatus = operation('reputation.status', {
  route: 'GET /v1/reputation/status',
  beyond: true,
  input: z.strictObject({}),
  reply: reputationStatus,
});

/** The deliveries of one day in UTC, and the rates of hard bounces and complaints, in percent. */
export const reputationDay = lenientObject({
  date: z.string(),
  delivered: nullishNumber,
  hardBounced: nullishNumber,
  complained: nullishNumber,
  bounceRate: rate,
  complaintRate: rate,
});

export type ReputationDay = z.infer<typeof reputationDay>;

const days = z.int().min(limits.reputationDays.min).max(limits.reputationDays.max).optional();

/** Lists the figures of each recent day that had mail, oldest first. */
export const listReputationDays = operation('reputation.history', {
  route: 'GET /v1/reputation/timeseries',
  beyond: true,
  input: z.strictObject({
    query: z.strictObject({ days, domainId: z.int().min(1).optional() }),
  }),
  reply: z.array(reputationDay),
});

/** A cause of hard bounces: their number, and their share of all hard bounces in percent. */
const bounceShare = lenientObject({
  key: z.string(),
  count: nullishNumber,
  share: rate,
});

export type BounceShare = z.infer<typeof bounceShare>;

/** Counts recent hard bounces by the recipient's domain and by reason, most frequent first. */
export const getBounces = operation('reputation.bounces', {
  route: 'GET /v1/reputation/bounce-breakdown',
  beyond: true,
  input: z.strictObject({
    query: z.strictObject({
      days,
      limit: z.int().min(limits.bounceShares.min).max(limits.bounceShares.max).optional(),
    }),
  }),
  reply: lenientObject({
    days: nullishNumber,
    totalHardBounces: nullishNumber,
    byDomain: z.array(bounceShare),
    byReason: z.array(bounceShare),
  }),
});
