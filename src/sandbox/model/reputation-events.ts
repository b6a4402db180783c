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
export const selectReputationEvent = `SELECT id, from_state, to_state, bounce_rate, sample_size, actor,
  reason, created_at FROM reputation_events`;
