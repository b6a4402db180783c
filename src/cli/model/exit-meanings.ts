/** The meaning of each exit code, the same for every command. */
export const exitMeanings: readonly (readonly [code: number, names: string, meaning: string])[] = [
  [0, '', 'done'],
  [1, 'rejected, internal', 'the service rejected the request; or a defect of mailer'],
  [2, 'usage, policy', 'wrong flags or input, or a policy does not allow it; nothing was sent'],
  [3, 'auth', 'no key, a rejected key, or a missing permission'],
  [4, 'not_found, not_offered', 'not found; or the service does not offer this endpoint'],
  [
    5,
    'conflict',
    'conflict: the idempotency key was used for another email, the name exists already, the domain is already being verified, or another process is sending the run',
  ],
  [6, 'rate_limited', 'still rate limited after all retries'],
  [
    7,
    'unavailable',
    'network, timeout, TLS, proxy or server error, after all retries, or at the end of a wait',
  ],
  [8, 'bad_reply', 'an invalid response'],
  [9, 'wait_failed', 'the result of a wait or a check is bad'],
  [10, 'wait_timeout', 'the wait timed out, while the service responded'],
  [11, 'partial', 'a bulk run is complete, but some rows were not accepted'],
  [12, 'output_failed', 'it was carried out, but the result cannot be shown'],
  [130, 'interrupted', 'Ctrl-C'],
  [143, 'terminated', 'SIGTERM'],
];
