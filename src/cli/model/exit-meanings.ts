import { type ErrorCode, exitCodes } from '../../lib/base/errors.ts';

type ExitCode = 0 | (typeof exitCodes)[ErrorCode];

const meanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'the service rejected the request; or a defect of mailer',
  2: 'wrong flags or input, or a policy does not allow it; nothing was sent',
  3: 'no key, a rejected key, or a missing permission',
  4: 'not found; or the service does not offer this endpoint',
  5: 'conflict: the idempotency key was used for another email, the name exists already, the domain is already being verified, or another process is sending the run',
  6: 'still rate limited after all retries',
  7: 'network, timeout, TLS, proxy or server error, after all retries, or at the end of a wait',
  8: 'an invalid response',
  9: 'the result of a wait or a check is bad',
  10: 'the wait timed out, while the service responded',
  11: 'done in part: some rows were not accepted, or some of what was asked for is missing',
  12: 'it was carried out, but the result cannot be shown',
  130: 'Ctrl-C',
  143: 'SIGTERM',
};

/** The meaning of each exit code, the same for every command, and its names in JSON. */
export const exitMeanings = Object.entries(meanings).map(([text, meaning]) => {
  const code = Number(text);
  const names = Object.entries(exitCodes).flatMap(([name, its]) => (its === code ? [name] : []));
  return { code, names, meaning };
});
