import { limits } from '../../../api/limits.ts';
import type { ApiAccount } from '../../model/api-account.ts';
import { figuresByDay, hardBounces, rate, sumOf } from '../../model/email/figures.ts';
import { dayStart, iso } from '../../model/iso.ts';
import { type ReputationEventRow, selectReputationEvent } from '../../model/reputation-events.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from '../call.ts';

const day = 86_400_000;
/** The number of days that rates cover. */
const windowDays = 30;
/** Percentages, in line with the example data. */
const thresholds = { warning: 5, critical: 8, block: 10, unblock: 5 };
/** The number of emails from which a rate is meaningful. */
const sufficient = 500;
const supervision = { days: 7, dailyLimit: 500 };

export const reputationHandlers: Handlers<'reputation'> = {
  'reputation.events': ({ store, account, now, input: { query } }) =>
    eventsOf(store, account, now, query.limit ?? limits.reputationEvents.default).map((event) => ({
      ...event,
      createdAt: iso(event.createdAt),
    })),

  'reputation.status'({ store, account, now }) {
    const [newest] = eventsOf(store, account, now, 1);
    const since = dayStart(now) - (windowDays - 1) * day;
    const sum = sumOf(figuresByDay(store, { since }).map(({ figures }) => figures));
    const all = sum.delivered + sum.hardBounced;
    const state = newest?.toState ?? 'HEALTHY';
    const { bounceRate, sampleSize } = newest ?? {
      bounceRate: rate(sum.hardBounced, all),
      sampleSize: all,
    };
    const isBlocked = state === 'BLOCKED';
    const isSupervised = state === 'SUPERVISED';
    return {
      state,
      bounceRate,
      complaintRate: rate(sum.complained, all),
      sampleSize,
      sampleSufficient: sampleSize >= sufficient,
      windowDays,
      shortWindowBounceRate: bounceRate,
      thresholds,
      distanceToBlock: Math.max(0, thresholds.block - bounceRate),
      blockedAt: newest && isBlocked ? iso(newest.createdAt) : null,
      blockedReason: newest && (isBlocked || isSupervised) ? newest.reason : null,
      supervisedUntil:
        newest && isSupervised ? iso(newest.createdAt + supervision.days * day) : null,
      supervisedDailyLimit: isSupervised ? supervision.dailyLimit : null,
    };
  },

  'reputation.history'({ store, now, input: { query } }) {
    const { days = limits.reputationDays.default, domainId } = query;
    const since = dayStart(now) - (days - 1) * day;
    return figuresByDay(store, { since, domainId }).map(({ date, figures }) => {
      const { delivered, hardBounced, complained } = figures;
      return {
        date,
        delivered,
        hardBounced,
        complained,
        bounceRate: rate(hardBounced, delivered + hardBounced),
        complaintRate: rate(complained, delivered + hardBounced),
      };
    });
  },

  'reputation.bounces'({ store, now, input: { query } }) {
    const { days = limits.reputationDays.default, limit = limits.bounceShares.default } = query;
    const bounces = hardBounces(store, now - days * day);
    const top = (keys: readonly string[]) => topOf(keys, limit);
    return {
      days,
      totalHardBounces: bounces.length,
      byDomain: top(bounces.map(({ domain }) => domain)),
      byReason: top(bounces.map(({ reason }) => reason)),
    };
  },
};

/** The changes of the account's state, newest first. */
function eventsOf(
  store: Store,
  account: ApiAccount,
  now: number,
  limit: number,
): ReputationEventRow[] {
  const rows = store.all<ReputationEventRow>(
    `${selectReputationEvent} ORDER BY created_at DESC, id DESC LIMIT ?`,
    limit,
  );
  return account.blocked ? [blocking(rows[0], now), ...rows].slice(0, limit) : rows;
}

/** The newest event for the blocked key; both keys share the rest of the history. */
function blocking(latest: ReputationEventRow | undefined, now: number): ReputationEventRow {
  return {
    id: 'rep_blocked',
    fromState: latest?.toState ?? 'HEALTHY',
    toState: 'BLOCKED',
    bounceRate: 12.5,
    sampleSize: 1200,
    actor: 'suporte',
    reason: 'Bounce rate above 10%',
    createdAt: latest?.createdAt ?? now,
  };
}

/** The most frequent keys, with their share in percent. */
function topOf(keys: readonly string[], limit: number) {
  return [...Map.groupBy(keys, (key) => key)]
    .map(([key, { length: count }]) => ({ key, count, share: rate(count, keys.length) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit);
}
