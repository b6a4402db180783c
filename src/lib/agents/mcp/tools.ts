/** A tool: a command of this program, and what of it a model may choose. */
export interface Tool {
  readonly name: string;
  /** The words of the command. */
  readonly command: string;
  /** When to call it, as sentences. */
  readonly purpose: string;
  /** Flags of the command that are fields. */
  readonly flags?: readonly string[];
  /** Flags among them without which it makes no sense. */
  readonly required?: readonly string[];
  /** Flags that it always has. */
  readonly always?: readonly string[];
  /** The field that is the argument of the command. */
  readonly argument?: ToolArgument;
  /** A command that must succeed for the argument first. */
  readonly first?: string;
  /** Flags whose values are paths: fields only with `--root`. */
  readonly paths?: readonly string[];
  /** Fields of the result that hold bodies of emails. They are shown on request, if that is possible. */
  readonly bodies?: { readonly fields: readonly string[]; readonly onRequest: boolean };
  /**
   * What it does, if its flags leave less of what its command does; for `sends`, it exists only where mail may be sent, and
   * takes the digest of what is sent.
   */
  readonly only?: 'prepares' | 'sends';
  /** Whether a second call does nothing more than the first. */
  readonly repeats: boolean;
}

export interface ToolArgument {
  readonly field: string;
  readonly text: string;
  readonly required: boolean;
  /** The endings of the files it may name, if it is a path. */
  readonly endings?: readonly string[];
}

const period = ['--since', '--until'];
const bodyFields = ['html', 'text'];
const people = ['--from', '--to', '--cc', '--bcc', '--reply-to'];

/** Everything that a model may do, in the order of a job. */
export const tools: readonly Tool[] = [
  {
    name: 'account',
    command: 'whoami',
    purpose:
      'Call it first: the account in use, its domains, the rules of its policy, and whether its key works. With features, only what the service offers.',
    flags: ['--features'],
    repeats: true,
  },
  {
    name: 'find_emails',
    command: 'email list',
    purpose: 'Finds emails, newest first, without their bodies.',
    flags: [
      ...period,
      ...['--domain', '--status', '--failed', '--pending', '--to', '--from', '--subject'],
      ...['--run', '--campaign', '--events', '--page', '--limit'],
    ],
    bodies: { fields: bodyFields, onRequest: false },
    repeats: true,
  },
  {
    name: 'get_email',
    command: 'email get',
    purpose: 'One email, with everything that has happened to it.',
    argument: { field: 'id', text: 'the id of an email', required: true },
    bodies: { fields: bodyFields, onRequest: true },
    repeats: true,
  },
  {
    name: 'check_email',
    command: 'email check',
    purpose:
      'Finds mistakes in a draft before it is sent. Give the fields of the draft, or its file. Nothing is sent.',
    flags: [
      ...people,
      ...['--subject', '--text', '--html', '--preview-text', '--header'],
      ...['--campaign', '--fail-on', '--ignore'],
    ],
    argument: {
      field: 'file',
      text: 'a file with the draft',
      required: false,
      // A component is a program, MJML starts one and includes files, and a request in JSON is no draft.
      endings: ['html', 'htm', 'txt', 'md', 'markdown', 'eml'],
    },
    repeats: true,
  },
  {
    name: 'list_domains',
    command: 'domain list',
    purpose: 'The sending domains, and how far each is verified.',
    repeats: true,
  },
  {
    name: 'check_domain',
    command: 'domain check',
    purpose:
      'Looks up the DNS of a domain of the account: what receivers would object to, and the records to publish.',
    always: ['--deep'],
    argument: { field: 'domain', text: 'a domain of the account: id or name', required: true },
    // A look-up of any other name would tell its name servers something.
    first: 'domain get',
    repeats: true,
  },
  {
    name: 'stats',
    command: 'stats',
    purpose: 'What was sent, delivered, opened and bounced, day by day, or in total.',
    flags: ['--days', '--domain', '--total'],
    repeats: true,
  },
  {
    name: 'reputation',
    command: 'reputation status',
    purpose: 'The state of the account, and how far it is from being blocked.',
    repeats: true,
  },
  {
    name: 'list_books',
    command: 'contact book list',
    purpose: 'The contact books, with their sizes.',
    repeats: true,
  },
  {
    name: 'find_contacts',
    command: 'contact list',
    purpose:
      'The contacts of a contact book. Give addresses if you know them, instead of reading the whole book.',
    flags: ['--book', '--email', '--subscribed', '--unsubscribed'],
    required: ['--book'],
    repeats: true,
  },
  {
    name: 'list_runs',
    command: 'run list',
    purpose: 'Bulk runs of this machine: how far each is, and what it left out.',
    repeats: true,
  },
  {
    name: 'log',
    command: 'log list',
    purpose: 'What was done from this machine, and by whom, newest first.',
    flags: [...period, '--command', '--to', '--limit'],
    repeats: true,
  },
  {
    name: 'prepare_email',
    command: 'email send',
    purpose:
      'Puts an email into the outbox of this machine. Nothing is sent. A person has to approve it at a terminal: tell them who gets what, and the command mailer outbox approve ID. If result.profile is not null, add --profile with its value; for the sandbox, add --sandbox.',
    flags: [
      ...people,
      ...['--subject', '--text', '--html', '--template', '--var', '--header'],
      ...['--scheduled-at', '--in-reply-to'],
    ],
    required: ['--to'],
    paths: ['--attach', '--markdown-file'],
    always: ['--for-approval'],
    only: 'prepares',
    repeats: false,
  },
  {
    name: 'send_approved',
    command: 'outbox send',
    purpose:
      'Sends an outbox entry that a person has approved, once. It asks no questions. If the entry is not approved, the hint has the command for the person to run at a terminal.',
    argument: { field: 'id', text: 'the id of the entry', required: true },
    first: 'outbox get',
    only: 'sends',
    repeats: true,
  },
];
