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
    'conflict: the idempotency key was used for another body, the domain is already being verified, or another process is sending the run',
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

type Meanings = Readonly<Record<number, string>>;

const waitedEmail: Meanings = {
  9: 'with --wait: it failed, such as BOUNCED',
  10: 'with --wait: the wait timed out',
};
const scheduledEmail: Meanings = {
  1: 'the email is no longer scheduled',
  4: 'there is no such email',
};
const namedCampaign: Meanings = { 4: 'there is no such campaign' };
const offersTemplates: Meanings = { 4: 'the service does not offer templates' };
const offersSegments: Meanings = { 4: 'the service does not offer segments' };
const namedSegment: Meanings = {
  4: 'there is no such segment, or the service does not offer segments',
};
const anotherOne = 'with --if-missing: what has this name is another one';
const taken = 'something has this name already; with --if-missing, it is another one';
const namedDomain: Meanings = { 4: 'there is no such domain' };
const sentRun: Meanings = {
  9: 'with --wait: an email failed',
  10: 'with --wait: the wait timed out for some emails',
  11: 'the run is complete, but some rows were rejected or left out, or their outcome is unknown',
};
const namedRun: Meanings = { 4: 'there is no such run' };
const namedContact: Meanings = { 4: 'there is no such contact in this book' };
const namedBook: Meanings = { 4: 'there is no such contact book' };
const namedProfile: Meanings = { 4: 'there is no such profile' };

/** For each command, the exit codes that have a special meaning there. */
export const exitCodesOf: Readonly<Record<string, Meanings>> = {
  'email send': {
    5: 'the idempotency key was used for another body',
    ...waitedEmail,
    9: 'with --wait: it failed, such as BOUNCED; with --check: a finding is an error',
  },
  'email batch': {
    2: 'invalid rows, without --skip-invalid; nothing was sent',
    ...sentRun,
    9: 'with --wait: an email failed; with --check: a finding is an error',
  },
  'email get': { 4: 'there is no such email', ...waitedEmail },
  'email reschedule': scheduledEmail,
  'email cancel': scheduledEmail,
  'email check': { 9: 'a finding has the severity of --fail-on or above' },
  sendmail: {
    64: 'wrong flags, or no recipients',
    65: 'a message that cannot be read or sent, or that the service rejected',
    67: 'a local user, and no local-mail-to',
    69: 'the outcome is unknown, and sending it again may send it twice; or the service cannot send it',
    75: 'the service cannot be reached now; sending it again is safe',
    77: 'no key, or a rejected one; or a policy does not allow it',
    78: 'no default sender, no base URL, or a wrong setting',
  },
  'policy check': { 2: 'at least one address is not allowed or not valid' },
  'run get': namedRun,
  'run resume': {
    2: 'another account, a run of an earlier version, or wrong flags; nothing was sent',
    ...namedRun,
    ...sentRun,
  },
  'run delete': namedRun,
  'campaign create': {
    1: 'the service rejected it; the message names a draft that it kept',
    5: 'a campaign that is not sent yet has this name; with --if-missing, it is another one',
    9: 'with --check: a finding is an error',
  },
  'campaign get': namedCampaign,
  'campaign watch': {
    ...namedCampaign,
    9: 'the campaign is paused, or a draft',
    10: 'the wait timed out',
  },
  'campaign schedule': namedCampaign,
  'campaign pause': namedCampaign,
  'campaign test': {
    4: 'there is no such campaign, or its content cannot be shown',
    5: 'the idempotency key was used for another body',
    ...waitedEmail,
  },
  'campaign resume': namedCampaign,
  'campaign delete': namedCampaign,
  'contact list': { ...namedBook, 11: 'the book has more contacts than the service lists' },
  'contact get': namedContact,
  'contact add': namedBook,
  'contact import': {
    2: 'invalid rows, without --skip-invalid, or an address twice, without --last-wins; nothing was sent',
    4: 'there is no such contact book, or the service does not offer bulk requests',
    10: 'some contacts did not arrive in time',
    11: 'some rows were rejected or left out, or their outcome is unknown',
  },
  'contact update': namedContact,
  'contact delete': namedContact,
  'contact sync': {
    2: 'invalid rows, more contacts missing than --max-missing, or a book of more than 5,000; nothing was sent',
    4: 'there is no such contact book, or the service does not offer bulk requests',
    10: 'some contacts did not arrive in time',
    11: 'some rows were rejected or left out, or their outcome is unknown',
  },
  'contact export': {
    4: 'there is no such contact book',
    11: 'the book has more contacts than the service lists, so some are missing',
  },
  'contact book create': { 5: taken },
  'contact book get': namedBook,
  'contact book update': namedBook,
  'contact book delete': namedBook,
  'segment list': offersSegments,
  'segment create': { ...offersSegments, 5: taken },
  'segment preview': namedSegment,
  'segment materialize': namedSegment,
  'segment delete': namedSegment,
  'event send': { 4: 'the book has no such contact, or the service does not offer events' },
  'template list': offersTemplates,
  'template get': { 4: 'there is no such template, or the service does not offer templates' },
  'template create': offersTemplates,
  'template pull': offersTemplates,
  'template push': { 2: 'a file is not a template, or wrong flags', ...offersTemplates },
  'domain add': {
    1: 'the domain exists already',
    5: anotherOne,
    7: 'the service rejected it without a reason, or failed',
  },
  'domain get': namedDomain,
  'domain records': namedDomain,
  'domain check': {
    ...namedDomain,
    9: 'a required record is missing, wrong, or could not be looked up',
  },
  'domain verify': {
    ...namedDomain,
    9: 'with --wait: the verification failed',
    10: 'with --wait: the wait timed out',
  },
  'domain delete': namedDomain,
  stats: { 4: 'there is no such domain, or the service does not offer statistics' },
  'reputation status': {
    4: 'the service does not report the reputation of accounts',
    9: 'with --fail-on or --min-distance: the account is in one of these states, or too close to being blocked',
  },
  'reputation history': { 4: 'the service does not report the reputation of accounts' },
  'reputation bounces': { 4: 'the service does not report the reputation of accounts' },
  'reputation events': {
    4: 'the service does not offer reputation events',
    9: 'with --fail-on: the newest state is one of those named',
  },
  login: { 3: 'the key was rejected; nothing was stored' },
  whoami: { 3: 'no key, or a rejected one', 7: 'the service cannot be reached' },
  doctor: { 7: 'for example; it exits with the code of the first failed check' },
  'profile use': namedProfile,
  'profile rename': namedProfile,
  'profile delete': namedProfile,
  api: { 1: 'the service rejected the request', 4: 'the service responded with 404' },
  'sandbox start': {
    2: 'the port is in use, or wrong flags',
    130: 'stopped with Ctrl-C, as usual',
  },
  'sandbox open': { 7: 'the sandbox is not running' },
};

/** The exit codes on a command's page: success, and the command's own. */
export function exitCodesShown(words: string): readonly (readonly [code: number, text: string])[] {
  const own = Object.entries(exitCodesOf[words] ?? {});
  return [[0, 'done'], ...own.map(([code, text]) => [Number(code), text] as const)];
}
