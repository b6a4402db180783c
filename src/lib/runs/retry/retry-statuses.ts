import { parseChoice } from '../../base/input/choice.ts';

/**
 * The states of rows that can be retried. `bounced-transient`: the email bounced, for a reason that may pass.
 * `rejected`: by the service, or later by the provider. `failed`: also a failure to render. `invalid`, `policy`: never
 * sent. `unknown`: it may have been sent.
 */
export const retryStatuses = [
  ...(['bounced-transient', 'rejected', 'failed', 'invalid', 'policy', 'unknown'] as const),
] as const;

export type RetryStatus = (typeof retryStatuses)[number];

/** Those of rows that may have an email at the service. */
export const emailRetryStatuses = ['bounced-transient', 'rejected', 'failed'] as const;

/** The statuses of a repeated `--status`, also several separated by commas. */
export function retryStatusesGiven(values: readonly string[]): ReadonlySet<RetryStatus> {
  const hint =
    'Nothing was sent. An email that is delivered, on its way, bounced permanently, complained about or suppressed is never sent again.';
  const parse = parseChoice('--status', retryStatuses, hint);
  return new Set(values.flatMap((value) => value.split(',').map((word) => parse(word.trim()))));
}
