import type { Term } from './command-pages.ts';

/** Variables of the environment that the program reads. */
export const environment: readonly Term[] = [
  { term: 'MAILER_API_KEY', text: 'the API key' },
  { term: 'MAILER_BASE_URL', text: 'the URL of the service, ending in /api' },
  { term: 'MAILER_PROFILE', text: 'the profile to use' },
  { term: 'MAILER_CONFIG_DIR', text: 'where config.json is, which holds profiles and settings' },
  { term: 'MAILER_SANDBOX_DIR', text: 'where the data of the embedded service is' },
  { term: 'MAILER_STATE_DIR', text: 'where the journals of bulk runs are' },
  {
    term: 'MAILER_SANDBOX_SMTP_URL',
    text: 'the SMTP server of sandbox start, where its URL holds a password',
  },
  {
    term: 'MAILER_SANDBOX_LANGUAGE',
    text: "the language of the sandbox's messages: en or pt",
  },
  { term: 'NO_COLOR', text: 'no colour' },
  { term: 'FORCE_COLOR', text: 'colour, whether or not stdout is a terminal' },
  { term: 'TERM', text: 'with the value dumb: no colour, and nothing that moves' },
  { term: 'CI', text: 'no questions, and nothing that moves' },
  {
    term: 'SHELL',
    text: 'how printed commands are quoted: for PowerShell if it names PowerShell, or if unset on Windows; otherwise for sh, bash, zsh and fish',
  },
  { term: 'BROWSER', text: 'the program that pages are opened with' },
  {
    term: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    text: 'the proxy that leads to the service, and for which hosts there is none',
  },
  {
    term: 'NODE_EXTRA_CA_CERTS',
    text: 'a file of further certificates to trust; one that cannot be read Node itself names on stderr',
  },
  {
    term: 'NODE_TLS_REJECT_UNAUTHORIZED',
    text: 'changes nothing: certificates are always verified',
  },
  {
    term: 'NODE_DISABLE_COMPILE_CACHE',
    text: '1: keep nothing of what Node makes of the program; it then starts more slowly',
  },
  {
    term: 'XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
    text: 'base directories of the files below, on systems other than macOS and Windows',
  },
];

/** Files and directories, where no variable says otherwise. */
export const files: readonly Term[] = [
  { term: '~/.config/mailer/config.json', text: 'profiles, keys and settings' },
  {
    term: '~/.config/mailer/config.lock',
    text: 'empty; keeps two processes from changing the configuration at the same time',
  },
  { term: '~/.local/share/mailer/sandbox/', text: 'the data of the embedded service' },
  { term: '~/.local/state/mailer/runs/', text: 'the journals of bulk runs' },
  {
    term: '~/.cache/mailer/completion/',
    text: 'names for completion, used for a minute; may be deleted at any time',
  },
  {
    term: '~/.cache/mailer/compiled/',
    text: 'what Node has compiled of the program, so that it starts sooner; may be deleted at any time, and what is a month old is removed when something is added',
  },
];

/** What holds for the files, as a sentence. */
export const aboutFiles =
  'All of them can be read by their owner only. On macOS and Windows they are where these systems keep such files; mailer config path and mailer sandbox path say where, and the cache is ~/Library/Caches/mailer or %LOCALAPPDATA%\\mailer\\Cache. To uninstall mailer removes none of them: delete those that you no longer need, after mailer logout.';

/** What the program is, in paragraphs. */
export const description = [
  'mailer operates an account on an email delivery service from a terminal, a script or a CI job: sends, campaigns, contacts, sending domains and reputation. Every command takes --sandbox, which means the embedded service instead of the network: nothing leaves the machine then, and no account is needed.',
  'On a terminal the output is a table; in a pipe it is the same rows as tab-separated lines, header first; JSON is printed only on request. stdout holds the result and nothing else. Errors are text on stderr, or with --json and --jsonl one JSON object there.',
  'A flag comes before the environment, the environment before the profile. A profile that is named with --profile comes before the key and the URL of the environment. There is no flag for the key.',
] as const;

/** First steps. */
export const firstExamples: readonly (readonly [line: string, effect: string])[] = [
  [
    'mailer email send --sandbox --from hello@example.com --to you@example.org --subject Hi --text Hello',
    'Send an email on the embedded service; nothing leaves this machine',
  ],
  ['mailer login', 'Use a real account'],
];
