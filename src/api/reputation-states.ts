/** The states of live servers; there may be others. Source: observed. */
export const reputationStates = [
  'HEALTHY',
  'WARNING',
  'CRITICAL',
  'BLOCKED',
  'SUPERVISED',
  'EXEMPT',
] as const;
