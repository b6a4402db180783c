/** What an exit code means, on every command. */
export const exitMeanings: readonly (readonly [code: number, names: string, meaning: string])[] = [
  [0, '', 'done'],
  [1, 'rejected, internal', 'the service refused the request; or a defect of mailer'],
  [2, 'usage', 'bad flags or input; nothing was sent'],
  [3, 'auth', 'no key, a refused key, or something that this key or account may not do'],
  [4, 'not_found, not_offered', 'not found; or the service does not offer this endpoint'],
  [
    5,
    'conflict',
    'the service sees a conflict: the idempotency key was used for another body, or the domain is being verified',
  ],
  [6, 'rate_limited', 'still limited after all retries'],
  [7, 'unavailable', 'network, timeout, TLS, proxy or a server error, after all retries'],
  [8, 'bad_reply', 'an answer that is not what the service promises'],
  [9, 'wait_failed', 'what was waited for or checked is bad'],
  [10, 'wait_timeout', 'what was waited for did not end in time'],
  [11, 'partial', 'a bulk run finished, some rows were rejected'],
  [130, 'interrupted', 'Ctrl-C'],
  [143, 'terminated', 'SIGTERM'],
];

type Meanings = Readonly<Record<number, string>>;

const waitedEmail: Meanings = {
  9: 'with --wait: it ended badly, such as BOUNCED',
  10: 'with --wait: it had not got there when time was up',
};
const scheduledEmail: Meanings = {
  1: 'it is not scheduled any more',
  4: 'there is no such email',
};
const namedCampaign: Meanings = { 4: 'there is no such campaign' };
const namedDomain: Meanings = { 4: 'there is no such domain' };
const namedContact: Meanings = { 4: 'there is no such contact in this book' };
const namedProfile: Meanings = { 2: 'there is no such profile, or bad flags' };

/** Of each command the exit codes that mean something of its own there. */
export const exitCodesOf: Readonly<Record<string, Meanings>> = {
  'email send': { 5: 'the idempotency key was used for another body', ...waitedEmail },
  'email batch': {
    2: 'rows that cannot be sent, without --skip-invalid; nothing was sent',
    9: 'with --wait: an email ended badly',
    10: 'with --wait: not all had got there when time was up',
    11: 'all was sent that can be, but some rows were rejected, left out or have no answer',
  },
  'email get': { 4: 'there is no such email', ...waitedEmail },
  'email reschedule': scheduledEmail,
  'email cancel': scheduledEmail,
  'campaign create': { 1: 'the service refused it; the message names a draft that is left' },
  'campaign get': namedCampaign,
  'campaign watch': {
    ...namedCampaign,
    9: 'it is paused, or a draft',
    10: 'it had not ended when time was up',
  },
  'campaign schedule': namedCampaign,
  'campaign resume': namedCampaign,
  'campaign delete': namedCampaign,
  'contact update': namedContact,
  'contact delete': namedContact,
  'contact book delete': { 4: 'there is no such contact book' },
  'domain get': namedDomain,
  'domain records': namedDomain,
  'domain check': {
    ...namedDomain,
    9: 'a required record is missing, wrong, or could not be looked up',
  },
  'domain verify': {
    ...namedDomain,
    9: 'with --wait: the verification has failed',
    10: 'with --wait: it had not ended when time was up',
  },
  'domain delete': namedDomain,
  'reputation events': {
    4: 'the service does not offer reputation events',
    9: 'with --fail-on: the newest state is one of those named',
  },
  login: { 3: 'the key was refused; nothing was stored' },
  whoami: { 3: 'no key, or a refused one', 7: 'the service cannot be reached' },
  doctor: { 7: 'for example: it ends with the code of the first check that failed' },
  'profile use': namedProfile,
  'profile rename': namedProfile,
  'profile delete': namedProfile,
  api: { 1: 'the service refused the request', 4: 'the service answered 404' },
  'sandbox start': {
    2: 'the port is in use, or bad flags',
    130: 'Ctrl-C, which is how it is stopped',
  },
  'sandbox open': { 7: 'the sandbox is not being served' },
};

/** The exit codes of a command's page: success, and those of its own. */
export function exitCodesShown(words: string): readonly (readonly [code: number, text: string])[] {
  const own = Object.entries(exitCodesOf[words] ?? {});
  return [[0, 'done'], ...own.map(([code, text]) => [Number(code), text] as const)];
}
