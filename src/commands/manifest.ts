import type { CommandDefinition, Declared, Example } from '../lib/command/command.ts';

/** A loaded command. Only its own file knows the types of its arguments and options. */
export type LoadedCommand = CommandDefinition<Declared>;

export interface ManifestEntry {
  /** The words that name the command. */
  readonly words: readonly string[];
  /** One line for help, without a full stop. */
  readonly summary: string;
  load(): Promise<{ command: LoadedCommand }>;
}

/** A group of commands. */
export interface Group {
  /** One line for help, without a full stop. */
  readonly summary: string;
  readonly example: Example;
}

/** First steps, for the program's help page. */
export const firstExamples: readonly Example[] = [
  [
    'mailer email send --sandbox --from hello@example.com --to you@example.org --subject Hi --text Hello',
    'Send an email on the sandbox; nothing leaves this machine',
  ],
  ['mailer login', 'Use a real account'],
];

/** The groups of commands, by their words. */
export const groups: Readonly<Record<string, Group>> = {
  email: {
    summary: 'send emails, follow their delivery, change scheduled ones',
    example: [
      'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello',
      'Send a plain email',
    ],
  },
  run: {
    summary: 'bulk runs: list, resume and delete them',
    example: ['mailer run list', 'Show the progress of each bulk run'],
  },
  campaign: {
    summary: 'send an email to all contacts of a book',
    example: ['mailer campaign watch "News of March"', 'Follow the progress of a campaign'],
  },
  contact: {
    summary: 'contacts: list, add, change, import, export and sync them',
    example: [
      'mailer contact add --book Customers --email ana@example.org --first-name Ana',
      'Add a contact',
    ],
  },
  'contact book': {
    summary: 'lists of contacts that campaigns are sent to',
    example: ['mailer contact book list', 'Show all contact books'],
  },
  segment: {
    summary: 'contacts of a book that match conditions',
    example: ['mailer segment preview Pro', 'Show how many contacts a segment has'],
  },
  event: {
    summary: 'report what contacts do',
    example: ['mailer event send signed_up --contact contact_ana', 'Report a sign-up'],
  },
  template: {
    summary: 'templates that the service stores',
    example: ['mailer template list', 'List the templates'],
  },
  domain: {
    summary: 'sending domains and their DNS records',
    example: ['mailer domain check example.com', 'Check the DNS records of a domain'],
  },
  dmarc: {
    summary: 'what receivers report about mail from your domains',
    example: ['mailer dmarc report reports.mbox', 'Who sends as your domains'],
  },
  reputation: {
    summary: "the account's deliverability, current and past",
    example: ['mailer reputation status', 'Show how far the account is from being blocked'],
  },
  profile: {
    summary: 'switch between accounts',
    example: ['mailer profile use work', 'Use this account from now on'],
  },
  policy: {
    summary: 'who may be mailed',
    example: ['mailer policy show', 'All rules, and where each is set'],
  },
  config: {
    summary: 'settings of a profile',
    example: ['mailer config set from "Ana <ana@example.com>"', 'Set the default sender'],
  },
  webhook: {
    summary: 'try out and check webhook handlers',
    example: [
      'mailer webhook trigger email.delivered --to localhost:3000/webhooks',
      'Send a signed call to a handler',
    ],
  },
  'sandbox webhook': {
    summary: 'handlers to which the sandbox sends calls',
    example: ['mailer sandbox webhook add localhost:3000/webhooks', 'Send calls to a handler'],
  },
  sandbox: {
    summary: 'a complete local copy of the service',
    example: ['mailer sandbox start', 'Serve the sandbox until Ctrl-C'],
  },
};

/** Every command, in the order of help. Only the file of the named command is imported. */
export const manifest: readonly ManifestEntry[] = [
  entry('email send', 'send one email', () => import('./email/send.ts')),
  entry(
    'email batch',
    'send one email for each row of a file, exactly once',
    () => import('./email/batch.ts'),
  ),
  entry('email get', 'show emails and their history', () => import('./email/get.ts')),
  entry('email list', 'list and find emails, newest first', () => import('./email/list.ts')),
  entry('email watch', 'follow new emails and changes of status', () => import('./email/watch.ts')),
  entry(
    'email export',
    'write emails with their history to a file',
    () => import('./email/export.ts'),
  ),
  entry(
    'email reschedule',
    'change the time of a scheduled email',
    () => import('./email/reschedule.ts'),
  ),
  entry('email cancel', 'cancel a scheduled email', () => import('./email/cancel.ts')),
  entry(
    'email check',
    'find mistakes in an email before it is sent',
    () => import('./email/check.ts'),
  ),
  entry(
    'sendmail',
    'send a message from stdin, like the program sendmail',
    () => import('./sendmail.ts'),
  ),
  entry('run list', 'list bulk runs, newest first', () => import('./run/list.ts')),
  entry('run get', 'show the progress of a bulk run', () => import('./run/get.ts')),
  entry('run watch', "follow a bulk run's emails to delivery", () => import('./run/watch.ts')),
  entry('run retry', 'send failed rows of a run again', () => import('./run/retry.ts')),
  entry('run resume', 'resume a bulk run', () => import('./run/resume.ts')),
  entry('run delete', 'delete the journal of a bulk run', () => import('./run/delete.ts')),
  entry('campaign create', 'create a campaign', () => import('./campaign/create.ts')),
  entry(
    'campaign replace',
    'replace a draft with a corrected one',
    () => import('./campaign/replace.ts'),
  ),
  entry('campaign list', 'list campaigns, newest first', () => import('./campaign/list.ts')),
  entry('campaign get', 'show a campaign and its counters', () => import('./campaign/get.ts')),
  entry('campaign watch', 'follow the progress of a campaign', () => import('./campaign/watch.ts')),
  entry(
    'campaign schedule',
    'start a campaign, now or later',
    () => import('./campaign/schedule.ts'),
  ),
  entry(
    'campaign test',
    'send the content of a campaign as a test email',
    () => import('./campaign/test.ts'),
  ),
  entry('campaign pause', 'pause a campaign', () => import('./campaign/pause.ts')),
  entry('campaign resume', 'resume a paused campaign', () => import('./campaign/resume.ts')),
  entry('campaign delete', 'delete a campaign', () => import('./campaign/delete.ts')),
  entry('contact list', 'list the contacts of a book', () => import('./contact/list.ts')),
  entry('contact get', 'show a contact and its properties', () => import('./contact/get.ts')),
  entry('contact add', 'add a contact to a book', () => import('./contact/add.ts')),
  entry(
    'contact import',
    'import the contacts of a file into a book',
    () => import('./contact/import.ts'),
  ),
  entry('contact update', 'change a contact', () => import('./contact/update.ts')),
  entry('contact delete', 'delete a contact', () => import('./contact/delete.ts')),
  entry('contact sync', 'make a book match a file', () => import('./contact/sync.ts')),
  entry(
    'contact export',
    'write all contacts of a book to a file',
    () => import('./contact/export.ts'),
  ),
  entry('contact book list', 'list contact books', () => import('./contact/book/list.ts')),
  entry(
    'contact book get',
    'show a contact book and its double opt-in',
    () => import('./contact/book/get.ts'),
  ),
  entry('contact book create', 'create a contact book', () => import('./contact/book/create.ts')),
  entry('contact book update', 'change a contact book', () => import('./contact/book/update.ts')),
  entry(
    'contact book delete',
    'delete a book and its contacts',
    () => import('./contact/book/delete.ts'),
  ),
  entry('segment list', 'list segments', () => import('./segment/list.ts')),
  entry('segment create', 'create a segment', () => import('./segment/create.ts')),
  entry(
    'segment preview',
    'show how many contacts a segment has',
    () => import('./segment/preview.ts'),
  ),
  entry(
    'segment materialize',
    'create a contact book from a segment',
    () => import('./segment/materialize.ts'),
  ),
  entry('segment delete', 'delete a segment', () => import('./segment/delete.ts')),
  entry('event send', 'report an event of a contact', () => import('./event/send.ts')),
  entry('template list', 'list templates, newest first', () => import('./template/list.ts')),
  entry('template get', 'show a template', () => import('./template/get.ts')),
  entry('template create', 'create a template', () => import('./template/create.ts')),
  entry(
    'template pull',
    'write templates to files in a directory',
    () => import('./template/pull.ts'),
  ),
  entry(
    'template push',
    'create templates from files in a directory',
    () => import('./template/push.ts'),
  ),
  entry('domain add', 'add a domain', () => import('./domain/add.ts')),
  entry('domain list', 'list domains', () => import('./domain/list.ts')),
  entry('domain get', 'show a domain and its DNS records', () => import('./domain/get.ts')),
  entry(
    'domain records',
    'print the DNS records to publish, ready to paste',
    () => import('./domain/records.ts'),
  ),
  entry('domain check', "check a domain's DNS records", () => import('./domain/check.ts')),
  entry('domain verify', 'verify a domain', () => import('./domain/verify.ts')),
  entry('domain delete', 'delete a domain', () => import('./domain/delete.ts')),
  entry('dmarc report', 'add up the DMARC reports of receivers', () => import('./dmarc/report.ts')),
  entry('stats', 'show what was sent and delivered, day by day', () => import('./stats.ts')),
  entry(
    'reputation status',
    'show the deliverability state and the distance to blocking',
    () => import('./reputation/status.ts'),
  ),
  entry(
    'reputation history',
    'show the bounce rate day by day',
    () => import('./reputation/history.ts'),
  ),
  entry(
    'reputation bounces',
    'show the domains and reasons of hard bounces',
    () => import('./reputation/bounces.ts'),
  ),
  entry(
    'reputation events',
    'list changes of the deliverability state, newest first',
    () => import('./reputation/events.ts'),
  ),
  entry('login', 'store a base URL and a key', () => import('./login.ts')),
  entry('logout', 'remove a stored key', () => import('./logout.ts')),
  entry('whoami', 'show and test the account in use', () => import('./whoami.ts')),
  entry('doctor', 'check every step from this machine to the service', () => import('./doctor.ts')),
  entry('profile list', 'list profiles', () => import('./profile/list.ts')),
  entry('profile use', 'make a profile current', () => import('./profile/use.ts')),
  entry('profile rename', 'rename a profile', () => import('./profile/rename.ts')),
  entry('profile delete', 'delete a profile', () => import('./profile/delete.ts')),
  entry('config get', 'print a setting', () => import('./config/get.ts')),
  entry('config set', 'change a setting', () => import('./config/set.ts')),
  entry('config unset', 'remove a setting', () => import('./config/unset.ts')),
  entry('config list', 'list settings', () => import('./config/list.ts')),
  entry(
    'config path',
    'print the path of the configuration file',
    () => import('./config/path.ts'),
  ),
  entry('policy show', 'show who may be mailed', () => import('./policy/show.ts')),
  entry('policy set', 'restrict who may be mailed', () => import('./policy/set.ts')),
  entry('policy unset', 'remove restrictions', () => import('./policy/unset.ts')),
  entry('policy check', 'check whether addresses may be mailed', () => import('./policy/check.ts')),
  entry('api', 'send any request to the service', () => import('./api.ts')),
  entry(
    'webhook events',
    'list the events that a service sends',
    () => import('./webhook/events.ts'),
  ),
  entry('webhook example', 'print an example of a call', () => import('./webhook/example.ts')),
  entry(
    'webhook trigger',
    'send one signed call to a handler',
    () => import('./webhook/trigger.ts'),
  ),
  entry(
    'webhook listen',
    'receive calls, check and forward them',
    () => import('./webhook/listen.ts'),
  ),
  entry('webhook log', 'list the calls that were received', () => import('./webhook/log.ts')),
  entry('webhook get', 'show a call that was received', () => import('./webhook/get.ts')),
  entry('webhook replay', 'send a received call again', () => import('./webhook/replay.ts')),
  entry('webhook test', 'grade a handler', () => import('./webhook/test.ts')),
  entry('webhook verify', 'check the signature of a call', () => import('./webhook/verify.ts')),
  entry('sandbox start', 'serve the sandbox over HTTP', () => import('./sandbox/start.ts')),
  entry(
    'sandbox advance',
    'advance the clock and run due jobs',
    () => import('./sandbox/advance.ts'),
  ),
  entry('sandbox reset', 'delete the data and start over', () => import('./sandbox/reset.ts')),
  entry('sandbox seed', 'load data from a file', () => import('./sandbox/seed.ts')),
  entry('sandbox export', 'write all data to a file', () => import('./sandbox/export.ts')),
  entry('sandbox logs', 'show the requests to the sandbox', () => import('./sandbox/logs.ts')),
  entry('sandbox open', 'open the inbox in the browser', () => import('./sandbox/open.ts')),
  entry('sandbox path', 'print the path of the data', () => import('./sandbox/path.ts')),
  entry(
    'sandbox status',
    'show the data directory, and whether the sandbox is running',
    () => import('./sandbox/status.ts'),
  ),
  entry('sandbox wait', 'wait for mail, for its code or a link', () => import('./sandbox/wait.ts')),
  entry('sandbox webhook add', 'send calls to a handler', () => import('./sandbox/webhook/add.ts')),
  entry('sandbox webhook list', 'list the handlers', () => import('./sandbox/webhook/list.ts')),
  entry(
    'sandbox webhook log',
    'list the calls and their responses',
    () => import('./sandbox/webhook/log.ts'),
  ),
  entry(
    'sandbox webhook delete',
    'send no more calls to a handler',
    () => import('./sandbox/webhook/delete.ts'),
  ),
  entry('commands', 'describe commands, for programs', () => import('./commands.ts')),
  entry(
    'completion',
    'print a script that completes commands, ids and names',
    () => import('./completion.ts'),
  ),
];

function entry(
  words: string,
  summary: string,
  load: () => Promise<{ command: unknown }>,
): ManifestEntry {
  // Each command's file infers its types, which tie its flags to its `run`.
  return { words: words.split(' '), summary, load: load as ManifestEntry['load'] };
}
