/** Sendings of one thing at most. */
export const mostSendings = 999;

/**
 * Characters that an idempotency key given by hand has at most. What is added to it must fit into
 * the 256 that the service takes: the sending (`-s999`), the chunk, which emails of it (13), and
 * which attempt.
 */
export const longestGivenKey = 200;
