import type { CommandDefinition, Declared } from '../lib/command.ts';

/** A command as it is loaded: its own argument and option types are its own business. */
export type LoadedCommand = CommandDefinition<Declared>;

export interface ManifestEntry {
  /** The words that name the command. */
  readonly words: readonly string[];
  /** One line for help, without a full stop. */
  readonly summary: string;
  load(): Promise<{ command: LoadedCommand }>;
}

/** The groups of commands, each with its line for help. */
export const groups: readonly (readonly [words: readonly string[], summary: string])[] = [
  [['email'], 'send emails, follow them, change scheduled ones'],
  [['campaign'], 'send to a contact book in batches'],
  [['contact'], 'update and delete contacts'],
  [['contact', 'book'], 'delete contact books'],
  [['domain'], 'list, verify and delete sending domains'],
  [['reputation'], "the history of the account's deliverability"],
  [['profile'], 'switch between accounts'],
  [['config'], 'settings of a profile'],
  [['sandbox'], 'the embedded local service'],
];

/**
 * Every command, in the order of help. A command's file is imported only when it is the one that
 * runs, or whose help is asked for.
 */
export const manifest: readonly ManifestEntry[] = [
  entry('email send', 'send one email', () => import('./email/send.ts')),
  entry('email batch', 'send up to 100 emails in one request', () => import('./email/batch.ts')),
  entry('email get', 'show an email and its history', () => import('./email/get.ts')),
  entry('email list', 'list emails, newest first', () => import('./email/list.ts')),
  entry('email reschedule', 'move a scheduled email', () => import('./email/reschedule.ts')),
  entry('email cancel', 'cancel a scheduled email', () => import('./email/cancel.ts')),
  entry('sandbox start', 'serve the sandbox over HTTP', () => import('./sandbox/start.ts')),
  entry('sandbox reset', 'delete its data and begin anew', () => import('./sandbox/reset.ts')),
  entry('sandbox path', 'where its data is', () => import('./sandbox/path.ts')),
  entry(
    'sandbox status',
    'its data, and whether it is served',
    () => import('./sandbox/status.ts'),
  ),
];

function entry(
  words: string,
  summary: string,
  load: () => Promise<{ command: unknown }>,
): ManifestEntry {
  // Each command's types are inferred in its own file and tie its flags to its `run`; here, where
  // commander hands over what the flags produced, only the pair is needed.
  return { words: words.split(' '), summary, load: load as ManifestEntry['load'] };
}
