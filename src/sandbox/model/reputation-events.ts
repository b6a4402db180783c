/** A change of the account's deliverability state. */
export interface ReputationEventRow {
  id: string;
  fromState: string;
  toState: string;
  /** In percent. */
  bounceRate: number;
  sampleSize: number;
  actor: string;
  reason: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Selects `ReputationEventRow`s. */
export const selectReputationEvent = `SELECT id, from_state AS fromState, to_state AS toState,
  bounce_rate AS bounceRate, sample_size AS sampleSize, actor, reason, created_at AS createdAt
  FROM reputation_events`;
