const inScripts = 'On a terminal it asks first; elsewhere it needs --yes.';

/** Of each command what its line in help has no room for. */
export const descriptions: Readonly<Record<string, string>> = {
  'email send':
    'The body is text, HTML, or both, from flags, files or stdin, or a template that the service has stored. The whole request is checked before it is sent. Each send has an idempotency key, so that it can be repeated after a failure without being sent twice; when nobody knows whether it went out, the key and the command that repeats it safely are printed.',
  'email batch':
    'The rows are JSON, JSON Lines or CSV, any number of them; {{ name }} in subject and body is a column of the file. All rows are checked before the first email is sent. What was sent is kept in a journal: when a run breaks off, the same command goes on where it stopped. On a terminal it asks before it sends; elsewhere it needs --yes.',
  'email get':
    'The history is what happened to each recipient, oldest first. With --wait it returns once the email is delivered to every recipient, copies included, or one of them fails. Copies that the email does not name are taken from the list of emails.',
  'email list':
    'It shows one page; --all shows every page, as they arrive. With both --since and --until, rows older than --since are removed if the service returns them, and the count is corrected.',
  'email reschedule':
    'The new time is read in your time zone unless it has one of its own, and has to be in the future unless --allow-past is given. It works as long as the email has not gone out.',
  'email cancel': 'It works as long as the email has not gone out.',
  'campaign create':
    'It stays a draft, unless --send-now or --scheduled-at is given. Where the service refuses it and keeps a draft all the same, the message names that.',
  'campaign list': 'It shows one page; --all shows every page, as they arrive.',
  'campaign get': 'A name has to be exact; where several campaigns have it, their ids are listed.',
  'campaign watch':
    'On a terminal there is a bar for each counter, with the rate and the time that is left; in a pipe a line for each change. It ends when the campaign is sent, paused, or found to be a draft.',
  'campaign schedule':
    'Either --scheduled-at or --now is needed. The time is read in your time zone unless it has one of its own, and has to be in the future unless --allow-past is given.',
  'campaign resume':
    'The service would also start a draft by it: for one it asks first, and elsewhere than on a terminal it needs --yes.',
  'campaign delete': inScripts,
  'contact update':
    'Only what is named changes: properties are added or replaced one by one, and all others stay.',
  'contact delete': inScripts,
  'contact book delete': inScripts,
  'domain list': 'Each with its status, such as SUCCESS once it is verified.',
  'domain get': 'The records are those that have to be published before it can be verified.',
  'domain records':
    'In a format for a zone file, for Terraform, for the interfaces of Cloudflare and Route 53, or as JSON with names in full. Without --format they are shown as the service has them.',
  'domain check':
    'It compares DNS with the records that the service requires, and starts no verification. It asks the authoritative name servers, so no cached answers, unless --resolver names others.',
  'domain verify':
    'It starts a verification; with --wait it waits for the result. If the verification fails, it lists the records that are missing or wrong, expected and found. A domain that is already verified ends the wait at once, without a new verification.',
  'domain delete': `Nothing can be sent from it any more, and API keys that were restricted to it lose the restriction. ${inScripts}`,
  'reputation events':
    "On a terminal there is a plot of the bounce rate at each change. With --fail-on it is a gate for a deploy: it fails while the account's newest state is one of those named.",
  login:
    'On a terminal it asks for what no flag says, the key without showing it. The key is tried with one call before it is stored, in a file that only you can read. With --key-command the command is stored in its place and run each time that the key is needed.',
  logout:
    'The base URL and the settings of the profile stay. Cached names for completion are removed.',
  whoami: 'It shows where base URL and key come from, and makes one call to see whether they work.',
  doctor:
    'It looks at Node, configuration, key, base URL, DNS, TLS, proxy and clock, and says of each whether it holds, and what to do where it does not. It changes nothing.',
  'profile list': 'A profile is a base URL, a key and settings. Keys are shown masked.',
  'profile use': 'It is then in force wherever neither --profile nor MAILER_PROFILE names another.',
  'profile rename': 'Its key and its settings stay as they are.',
  'profile delete': `Its key and its settings go with it, and cached names for completion. ${inScripts}`,
  'config get': 'It prints nothing where the setting is not set.',
  'config set':
    'Settings belong to a profile: the one in force, or that of --profile. They are what holds where no flag says otherwise.',
  'config unset': 'What holds without it, holds then.',
  'config list': 'All settings of the profile in force, set or not.',
  'config path': 'The file is there once something has been stored.',
  api: 'For endpoints that have no command of their own, under the same key, retries, errors and --dry-run. A DELETE asks first, or needs --yes. An email is sent under an idempotency key here, too.',
  'sandbox start':
    'It prints two lines that point any client of this API at it, and runs until Ctrl-C. At its URL is an inbox with all that was sent. Recipients decide what becomes of an email: opened@, bounced@, complained@, delayed@; anything else is delivered.',
  'sandbox advance':
    'Scheduled mail goes out, campaigns finish and verifications end, each with the time it would have had, whether or not the sandbox is being served.',
  'sandbox reset': 'A server that is running goes on with the new data.',
  'sandbox seed':
    'All of the file is checked first, and stored as a whole or not at all. docs/sandbox.md has its fields.',
  'sandbox export':
    'Seeded into an empty sandbox, the file makes the same account again. Keys, recorded requests and the clock are not in it.',
  'sandbox open': 'It has to be served: mailer sandbox start.',
  'sandbox path': 'The directory is there once the sandbox has been used, and may be deleted.',
  'sandbox status': 'Where its data is, how large it is, and at which URL it is served, if it is.',
  completion:
    'The script completes commands, flags and their values, files, and the ids and names in your account. The examples say where to put it.',
};
