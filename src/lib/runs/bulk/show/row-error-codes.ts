/**
 * `invalid`, `policy`, `duplicate`, `opted_out`: never sent; for `policy`, `rule` and `place` name the rule that forbids
 * it. `rejected`: by the service. `unknown`: it may have been sent. `not_sent`: not yet; resuming the run
 * sends it.
 */
export const rowErrorCodes = [
  'invalid',
  'policy',
  'duplicate',
  'opted_out',
  'rejected',
  'unknown',
  'not_sent',
] as const;
