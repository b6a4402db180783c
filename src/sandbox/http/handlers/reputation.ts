import { limits } from '../../../api/limits.ts';
import { iso } from '../../model/iso.ts';
import { type ReputationEventRow, selectReputationEvent } from '../../model/reputation-events.ts';
import type { Handlers } from '../call.ts';

export const reputationHandlers: Handlers<'reputation.events'> = {
  'reputation.events'({ store, account, now, input: { query } }) {
    const limit = query.limit ?? limits.reputationEvents.default;
    const rows = store.all<ReputationEventRow>(
      `${selectReputationEvent} ORDER BY created_at DESC, id DESC LIMIT ?`,
      limit,
    );
    const events = account.blocked ? [blocking(rows[0], now), ...rows].slice(0, limit) : rows;
    return events.map((event) => ({ ...event, createdAt: iso(event.createdAt) }));
  },
};

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
