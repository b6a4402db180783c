import type { Term } from './command-pages.ts';

/** Environment variables that the program reads. */
export const environment: readonly Term[] = [
  { term: 'MAILER_API_KEY', text: 'the API key' },
  { term: 'MAILER_BASE_URL', text: 'the URL of the service, ending in /api' },
  { term: 'MAILER_PROFILE', text: 'the profile to use' },
  {
    term: 'MAILER_CONFIG_DIR',
    text: 'the directory of config.json, which has profiles and settings',
  },
  { term: 'MAILER_SANDBOX_DIR', text: "the directory of the sandbox's data" },
  {
    term: 'MAILER_STATE_DIR',
    text: 'the directory of the journals of bulk runs, the ids that @last stands for, and the counts for max-per-day',
  },
  {
    term: 'MAILER_TRUSTED_DIRS',
    text: 'directories, separated as in PATH, from which the packages and components of a project are run although others can write there',
  },
  {
    term: 'MAILER_ALLOW_TO, MAILER_DENY_TO, MAILER_ALLOW_FROM',
    text: 'addresses and patterns such as *@example.com: recipients who are allowed, recipients who are not, and allowed senders; an empty MAILER_ALLOW_TO or MAILER_ALLOW_FROM allows nobody',
  },
  {
    term: 'MAILER_MAX_RECIPIENTS, MAILER_MAX_PER_DAY',
    text: 'the maximum recipients per command, and per day',
  },
  { term: 'MAILER_CAMPAIGNS', text: 'off: no campaigns' },
  { term: 'MAILER_DELETES', text: 'off: nothing is deleted; ask: only by a person at a terminal' },
  { term: 'MAILER_LOG', text: 'off: commands are not written down' },
  { term: 'MAILER_READ_ONLY', text: 'on: only reading is allowed' },
  {
    term: 'MAILER_APPROVAL',
    text: 'always, "above N", "outside DOMAIN": a person has to approve such mail',
  },
  {
    term: 'AI_AGENT, CLAUDECODE, CODEX_SANDBOX, CURSOR_AGENT, GEMINI_CLI',
    text: 'if one is set, a program acts for a person, so nothing is asked',
  },
  {
    term: 'MAILER_REDIRECT_TO',
    text: 'the address that gets every email instead of its recipients',
  },
  {
    term: 'MAILER_SANDBOX_SMTP_URL',
    text: 'the SMTP server of sandbox start, if its URL has a password',
  },
  {
    term: 'MAILER_WEBHOOK_SECRET',
    text: 'the secret that signs calls of webhooks, without --secret-file',
  },
  {
    term: 'MAILER_SANDBOX_LANGUAGE',
    text: "the language of the sandbox's messages: en or pt",
  },
  { term: 'NO_COLOR', text: 'no colour' },
  {
    term: 'TZ',
    text: 'time zone, without --timezone and the setting timezone: a name, or an offset such as JST-9',
  },
  { term: 'FORCE_COLOR', text: 'colour, whether or not stdout is a terminal' },
  { term: 'TERM', text: 'dumb: no colour, and no animations' },
  { term: 'CI', text: 'no questions, and no animations' },
  {
    term: 'SHELL',
    text: 'how printed commands are quoted: for PowerShell if it names PowerShell, or if unset on Windows; otherwise for sh, bash, zsh and fish',
  },
  { term: 'BROWSER', text: 'the program that opens pages' },
  {
    term: 'VISUAL, EDITOR',
    text: 'the editor for the text of `email send` (default: vi)',
  },
  {
    term: 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    text: 'the proxy for requests to the service; hosts and networks (`10.0.0.0/8`) without one',
  },
  {
    term: 'REQUEST_METHOD',
    text: 'set for a CGI script, where HTTP_PROXY comes from whoever calls it, and is ignored',
  },
  {
    term: 'NODE_EXTRA_CA_CERTS',
    text: 'a file of additional certificates to trust; if it cannot be used, Node ignores it and says so on stderr, except with `--json`, `--jsonl` and `--jq`',
  },
  {
    term: 'SSL_CERT_FILE',
    text: 'a file of certificates to trust in place of those that Node has; if it cannot be used, nothing is sent (7)',
  },
  {
    term: 'NODE_TLS_REJECT_UNAUTHORIZED',
    text: 'ignored: certificates are always verified',
  },
  {
    term: 'NODE_DISABLE_COMPILE_CACHE',
    text: '1: disable the compile cache; mailer then starts more slowly',
  },
  {
    term: 'XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
    text: 'base directories of the files below, except on macOS and Windows',
  },
];

/** Files and directories, unless a variable names others. */
export const files: readonly Term[] = [
  { term: '~/.config/mailer/config.json', text: 'profiles, keys and settings' },
  {
    term: '~/.config/mailer/config.lock',
    text: 'an empty lock file, so that only one process changes the configuration at a time',
  },
  { term: '~/.local/share/mailer/sandbox/', text: "the sandbox's data" },
  { term: '~/.local/state/mailer/runs/', text: 'the journals of bulk runs' },
  {
    term: '~/.local/state/mailer/last/',
    text: 'the ids that @last stands for; those of the sandbox are with its data',
  },
  {
    term: '~/.cache/mailer/completion/',
    text: 'names for completion, cached for one minute; may be deleted at any time',
  },
  {
    term: '~/.cache/mailer/compiled/',
    text: 'compiled code, so that mailer starts quickly; may be deleted at any time',
  },
];

/** A paragraph about all of these files. */
export const aboutFiles =
  'Only their owner can read them. On macOS and Windows, they are in the usual directories of these systems: mailer config path and mailer sandbox path print them, and the cache is ~/Library/Caches/mailer or %LOCALAPPDATA%\\mailer\\Cache. Uninstalling mailer does not delete them. To remove your data, run mailer logout, then delete them.';

/** What the program is, in paragraphs. */
export const description = [
  'mailer works with an email delivery service from a terminal, a script or a CI job: it sends emails and campaigns, and manages contacts, sending domains and templates. With --sandbox, commands that send requests run against a complete local copy of the service: nothing leaves the machine, and no account is needed.',
  'On a terminal, the output is a table; in a pipe, it is the same rows as tab-separated lines, header first. JSON is printed only on request. stdout has only the result. Errors are text on stderr, or one JSON object with --json and --jsonl.',
  'Flags take precedence over the environment, and the environment over the profile. However, a profile that is selected with --profile overrides the key and the URL in the environment. No flag takes the key.',
] as const;
