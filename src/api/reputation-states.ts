/** States that live servers have; others may come. Source: observed. */
export const reputationStates = [
  'HEALTHY',
  'WARNING',
  'CRITICAL',
  'BLOCKED',
  'SUPERVISED',
  'EXEMPT',
] as const;
