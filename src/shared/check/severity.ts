export const severities = ['info', 'warning', 'error'] as const;

/** The severity of a finding, in rising order. */
export type Severity = (typeof severities)[number];
