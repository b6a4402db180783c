import type { CommandDefinition, Declared, Examples } from '../lib/command-line/command/command.ts';

/** A loaded command. Only its own file knows the types of its arguments and options. */
export type LoadedCommand = CommandDefinition<Declared>;

export interface ManifestEntry {
  /** The words that name the command. */
  readonly words: readonly string[];
  /** One line for help, without a full stop. */
  readonly summary: string;
  load(): Promise<{ command: LoadedCommand }>;
}

/** A command's summary, one line for help without a full stop, and its file. */
type CommandLine = readonly [summary: string, load: () => Promise<{ command: unknown }>];

/** Commands and groups by their last word, in the order of help. */
interface Commands {
  readonly [word: string]: CommandLine | (Group & { readonly commands: Commands });
}

/** A group of commands. */
export interface Group {
  /** One line for help, without a full stop. */
  readonly summary: string;
  readonly examples: Examples;
}

/** First steps, for the program's help page. */
export const firstExamples: Examples = {
  'mailer email send --sandbox --from hello@example.com --to you@example.org --subject Hi --text Hello':
    'Send an email on the sandbox; nothing leaves this machine',
  'mailer login': 'Use a real account',
};

const program: Commands = {
  email: {
    summary: 'send emails, follow their delivery, change scheduled ones',
    examples: {
      'mailer email send --to ana@example.org --from hello@example.com --subject Hi --text Hello':
        'Send a plain email',
    },
    commands: {
      send: ['send one email', () => import('./email/send.ts')],
      batch: [
        'send one email for each row of a file, exactly once',
        () => import('./email/batch.ts'),
      ],
      get: ['show emails and their history', () => import('./email/get.ts')],
      list: ['list and find emails, newest first', () => import('./email/list.ts')],
      watch: ['follow new emails and changes of status', () => import('./email/watch.ts')],
      export: ['write emails with their history to a file', () => import('./email/export.ts')],
      reschedule: ['change the time of a scheduled email', () => import('./email/reschedule.ts')],
      cancel: ['cancel a scheduled email', () => import('./email/cancel.ts')],
      check: ['find mistakes in an email before it is sent', () => import('./email/check.ts')],
    },
  },
  sendmail: ['send a message from stdin, like the program sendmail', () => import('./sendmail.ts')],
  run: {
    summary: 'bulk runs: list, resume and delete them',
    examples: { 'mailer run list': 'Show the progress of each bulk run' },
    commands: {
      list: ['list bulk runs, newest first', () => import('./run/list.ts')],
      get: ['show the progress of a bulk run', () => import('./run/get.ts')],
      watch: ["follow a bulk run's emails to delivery", () => import('./run/watch.ts')],
      retry: ['send failed rows of a run again', () => import('./run/retry.ts')],
      resume: ['resume a bulk run', () => import('./run/resume.ts')],
      delete: ['delete the journal of a bulk run', () => import('./run/delete.ts')],
    },
  },
  campaign: {
    summary: 'send an email to all contacts of a book',
    examples: { 'mailer campaign watch "News of March"': 'Follow the progress of a campaign' },
    commands: {
      create: ['create a campaign', () => import('./campaign/create.ts')],
      replace: [
        'replace a campaign that nobody has got with a corrected one',
        () => import('./campaign/replace.ts'),
      ],
      list: ['list campaigns, newest first', () => import('./campaign/list.ts')],
      get: ['show a campaign and its counters', () => import('./campaign/get.ts')],
      watch: ['follow the progress of a campaign', () => import('./campaign/watch.ts')],
      schedule: ['start a campaign, now or later', () => import('./campaign/schedule.ts')],
      test: ['send the content of a campaign as a test email', () => import('./campaign/test.ts')],
      pause: ['pause a campaign', () => import('./campaign/pause.ts')],
      resume: ['resume a paused campaign', () => import('./campaign/resume.ts')],
      delete: ['delete a campaign', () => import('./campaign/delete.ts')],
    },
  },
  contact: {
    summary: 'contacts: list, add, change, import, export and sync them',
    examples: {
      'mailer contact add --book Customers --email ana@example.org --first-name Ana':
        'Add a contact',
    },
    commands: {
      list: ['list the contacts of a book', () => import('./contact/list.ts')],
      get: ['show a contact and its properties', () => import('./contact/get.ts')],
      add: ['add a contact to a book', () => import('./contact/add.ts')],
      import: ['import the contacts of a file into a book', () => import('./contact/import.ts')],
      update: ['change a contact', () => import('./contact/update.ts')],
      delete: ['delete a contact', () => import('./contact/delete.ts')],
      sync: ['make a book match a file', () => import('./contact/sync.ts')],
      export: ['write all contacts of a book to a file', () => import('./contact/export.ts')],
      book: {
        summary: 'lists of contacts that campaigns are sent to',
        examples: { 'mailer contact book list': 'Show all contact books' },
        commands: {
          list: ['list contact books', () => import('./contact/book/list.ts')],
          get: ['show a contact book and its double opt-in', () => import('./contact/book/get.ts')],
          create: ['create a contact book', () => import('./contact/book/create.ts')],
          update: ['change a contact book', () => import('./contact/book/update.ts')],
          delete: ['delete a book and its contacts', () => import('./contact/book/delete.ts')],
        },
      },
    },
  },
  segment: {
    summary: 'contacts of a book that match conditions',
    examples: { 'mailer segment preview Pro': 'Show how many contacts a segment has' },
    commands: {
      list: ['list segments', () => import('./segment/list.ts')],
      create: ['create a segment', () => import('./segment/create.ts')],
      preview: ['show how many contacts a segment has', () => import('./segment/preview.ts')],
      materialize: [
        'create a contact book from a segment',
        () => import('./segment/materialize.ts'),
      ],
      delete: ['delete a segment', () => import('./segment/delete.ts')],
    },
  },
  event: {
    summary: 'report what contacts do',
    examples: { 'mailer event send signed_up --contact contact_ana': 'Report a sign-up' },
    commands: {
      send: ['report an event of a contact', () => import('./event/send.ts')],
    },
  },
  template: {
    summary: 'templates that the service stores',
    examples: { 'mailer template list': 'List the templates' },
    commands: {
      list: ['list templates, newest first', () => import('./template/list.ts')],
      get: ['show a template', () => import('./template/get.ts')],
      create: ['create a template', () => import('./template/create.ts')],
      pull: ['write templates to files in a directory', () => import('./template/pull.ts')],
      push: ['create templates from files in a directory', () => import('./template/push.ts')],
    },
  },
  domain: {
    summary: 'sending domains and their DNS records',
    examples: { 'mailer domain check example.com': 'Check the DNS records of a domain' },
    commands: {
      add: ['add a domain', () => import('./domain/add.ts')],
      list: ['list domains', () => import('./domain/list.ts')],
      get: ['show a domain and its DNS records', () => import('./domain/get.ts')],
      records: [
        'print the DNS records to publish, ready to paste',
        () => import('./domain/records.ts'),
      ],
      check: ["check a domain's DNS records", () => import('./domain/check.ts')],
      verify: ['verify a domain', () => import('./domain/verify.ts')],
      delete: ['delete a domain', () => import('./domain/delete.ts')],
    },
  },
  dmarc: {
    summary: 'what receivers report about mail from your domains',
    examples: { 'mailer dmarc report reports.mbox': 'Who sends as your domains' },
    commands: {
      report: ['add up the DMARC reports of receivers', () => import('./dmarc/report.ts')],
    },
  },
  stats: ['show what was sent and delivered, day by day', () => import('./stats.ts')],
  reputation: {
    summary: "the account's deliverability, current and past",
    examples: { 'mailer reputation status': 'Show how far the account is from being blocked' },
    commands: {
      status: [
        'show the deliverability state and the distance to blocking',
        () => import('./reputation/status.ts'),
      ],
      history: ['show the bounce rate day by day', () => import('./reputation/history.ts')],
      bounces: [
        'show the domains and reasons of hard bounces',
        () => import('./reputation/bounces.ts'),
      ],
      events: [
        'list changes of the deliverability state, newest first',
        () => import('./reputation/events.ts'),
      ],
    },
  },
  login: ['store a base URL and a key', () => import('./login.ts')],
  logout: ['remove a stored key', () => import('./logout.ts')],
  whoami: ['show and test the account in use', () => import('./whoami.ts')],
  doctor: ['check every step from this machine to the service', () => import('./doctor.ts')],
  profile: {
    summary: 'switch between accounts',
    examples: { 'mailer profile use work': 'Use this account from now on' },
    commands: {
      list: ['list profiles', () => import('./profile/list.ts')],
      use: ['make a profile current', () => import('./profile/use.ts')],
      rename: ['rename a profile', () => import('./profile/rename.ts')],
      delete: ['delete a profile', () => import('./profile/delete.ts')],
    },
  },
  config: {
    summary: 'settings of a profile',
    examples: { 'mailer config set from "Ana <ana@example.com>"': 'Set the default sender' },
    commands: {
      get: ['print a setting', () => import('./config/get.ts')],
      set: ['change a setting', () => import('./config/set.ts')],
      unset: ['remove a setting', () => import('./config/unset.ts')],
      list: ['list settings', () => import('./config/list.ts')],
      path: ['print the path of the configuration file', () => import('./config/path.ts')],
    },
  },
  policy: {
    summary: 'who may be mailed',
    examples: { 'mailer policy show': 'All rules, and where each is set' },
    commands: {
      show: ['show who may be mailed', () => import('./policy/show.ts')],
      set: ['restrict who may be mailed', () => import('./policy/set.ts')],
      unset: ['remove restrictions', () => import('./policy/unset.ts')],
      check: ['check whether addresses may be mailed', () => import('./policy/check.ts')],
    },
  },
  outbox: {
    summary: 'what waits for the approval of a person',
    examples: { 'mailer outbox approve 3f0c2a9be41d7788': 'Approve what a program has prepared' },
    commands: {
      list: ['list what waits, and what was decided', () => import('./outbox/list.ts')],
      get: ['show an entry: who would get what', () => import('./outbox/get.ts')],
      approve: ['approve an entry, as a person at a terminal', () => import('./outbox/approve.ts')],
      reject: ['reject an entry, so that it is never sent', () => import('./outbox/reject.ts')],
      send: ['send an approved entry, once', () => import('./outbox/send.ts')],
    },
  },
  log: {
    summary: 'what was done from this machine, and by whom',
    examples: { 'mailer log list --since yesterday': 'Commands that mailed or changed something' },
    commands: {
      list: ['list commands that mailed or changed something', () => import('./log/list.ts')],
      get: ['show one of them', () => import('./log/get.ts')],
    },
  },
  api: ['send any request to the service', () => import('./api.ts')],
  webhook: {
    summary: 'try out and check webhook handlers',
    examples: {
      'mailer webhook trigger email.delivered --to localhost:3000/webhooks':
        'Send a signed call to a handler',
    },
    commands: {
      events: ['list the events that a service sends', () => import('./webhook/events.ts')],
      example: ['print an example of a call', () => import('./webhook/example.ts')],
      trigger: ['send one signed call to a handler', () => import('./webhook/trigger.ts')],
      listen: ['receive calls, check and forward them', () => import('./webhook/listen.ts')],
      log: ['list calls that were received or sent', () => import('./webhook/log.ts')],
      get: ['show a call that was received', () => import('./webhook/get.ts')],
      replay: ['send a received call again', () => import('./webhook/replay.ts')],
      test: ['grade a handler', () => import('./webhook/test.ts')],
      verify: ['check the signature of a call', () => import('./webhook/verify.ts')],
    },
  },
  sandbox: {
    summary: 'a complete local copy of the service',
    examples: { 'mailer sandbox start': 'Serve the sandbox until Ctrl-C' },
    commands: {
      start: ['serve the sandbox over HTTP', () => import('./sandbox/start.ts')],
      advance: ['advance the clock and run due jobs', () => import('./sandbox/advance.ts')],
      reset: ['delete the data and start over', () => import('./sandbox/reset.ts')],
      seed: ['load data from a file', () => import('./sandbox/seed.ts')],
      export: ['write all data to a file', () => import('./sandbox/export.ts')],
      logs: ['show the requests to the sandbox', () => import('./sandbox/logs.ts')],
      open: ['open the inbox in the browser', () => import('./sandbox/open.ts')],
      path: ['print the path of the data', () => import('./sandbox/path.ts')],
      status: [
        'show the data directory, and whether the sandbox is running',
        () => import('./sandbox/status.ts'),
      ],
      wait: ['wait for mail, for its code or a link', () => import('./sandbox/wait.ts')],
      webhook: {
        summary: 'handlers to which the sandbox sends calls',
        examples: {
          'mailer sandbox webhook add localhost:3000/webhooks': 'Send calls to a handler',
        },
        commands: {
          add: ['send calls to a handler', () => import('./sandbox/webhook/add.ts')],
          list: ['list the handlers', () => import('./sandbox/webhook/list.ts')],
          log: ['list the calls and their responses', () => import('./sandbox/webhook/log.ts')],
          delete: ['send no more calls to a handler', () => import('./sandbox/webhook/delete.ts')],
        },
      },
    },
  },
  commands: ['describe commands, for programs', () => import('./commands.ts')],
  mcp: ['serve tools to an agent over stdin and stdout', () => import('./mcp.ts')],
  skill: ['print a page for agents that run command lines', () => import('./skill.ts')],
  version: ['show the version, its build and what is in it', () => import('./version.ts')],
  completion: [
    'print a script that completes commands, ids and names',
    () => import('./completion.ts'),
  ],
};

const all = [...inOrder(program)];

/** The groups of commands, by their words. */
export const groups: Readonly<Record<string, Group>> = Object.fromEntries(
  all.flatMap(({ words, one }) => (isGroup(one) ? [[words.join(' '), one]] : [])),
);

/** Every command, in the order of help. Only the file of the named command is imported. */
export const manifest: readonly ManifestEntry[] = all.flatMap(({ words, one }) => {
  if (isGroup(one)) return [];
  const [summary, load] = one;
  // Each command's file infers its types, which tie its flags to its `run`.
  return { words, summary, load: load as ManifestEntry['load'] };
});

function* inOrder(
  commands: Commands,
  above: readonly string[] = [],
): Generator<{ words: readonly string[]; one: Commands[string] }> {
  for (const [word, one] of Object.entries(commands)) {
    const words = [...above, word];
    yield { words, one };
    if (isGroup(one)) yield* inOrder(one.commands, words);
  }
}

function isGroup(one: Commands[string]): one is Group & { readonly commands: Commands } {
  return 'commands' in one;
}
