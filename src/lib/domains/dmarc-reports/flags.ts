/** What `--by` takes. */
export const groupings = ['source', 'selector', 'day'] as const;

export type Grouping = (typeof groupings)[number];

/** What the conditions of `--fail-on` can count. */
export const measures = [
  'unaligned',
  'dkim-unaligned',
  'spf-unaligned',
  'quarantined',
  'rejected',
] as const;

export type Measure = (typeof measures)[number];
