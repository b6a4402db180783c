const asksToStart =
  'Before it starts, it shows sender, contact book, time and the number of subscribed contacts, or the most there can be if the book has more than 5,000, and asks; without a terminal, it needs --yes. --expect-contacts allows only this number, also with --yes.';
const inScripts = 'On a terminal, it asks first; elsewhere, it needs --yes.';

/** For each command, a description beyond the summary of its help page. */
export const descriptions: Readonly<Record<string, string>> = {
  'email send':
    'The body is text, HTML or both, from flags, files or stdin, or a template stored by the service. The whole request is checked before it is sent. Each send has an idempotency key, so that it can be retried without being sent twice. If the outcome is unknown, the key and the command that repeats the send safely are printed: it looks for the email first.',
  'email batch':
    'The rows are JSON, JSON Lines or CSV, in any number; {{ name }} in subject and body is a column of the file. All rows are checked before the first email is sent. A journal records what is sent: if a run stops, mailer run resume or the same command resumes it. On a terminal, it asks before it sends; elsewhere, it needs --yes.',
  'email get':
    'The history has the events of each recipient, oldest first. With --wait, it returns once the email is delivered to every recipient, copies included, or fails for one of them. If the response does not name the copies, they are read from the list of emails.',
  'email list':
    'It shows one page; --all shows every page, as it arrives. With both --since and --until, rows older than --since are removed if the service returns them, and the count is corrected.',
  'email reschedule':
    'The new time is in your time zone unless it has its own, and must be in the future unless --allow-past is given. The email must not have been sent yet.',
  'email cancel': 'The email must not have been sent yet.',
  'email check':
    'It finds features that mail programs do not support, with the share of people concerned, links and images that do not work, colours that are hard to read, leftover placeholders, and what a service would reject. HTML and text are checked unchanged; Markdown, MJML and React Email are converted to HTML first. With the flags of email send, the whole email is checked. Nothing is sent. The network is used only with --links, which requests the page of each link, but never at an address that is not public. The project file .mailer.json can name findings to ignore.',
  sendmail:
    'It replaces the program sendmail for programs that send mail through it; a link to mailer named sendmail runs this command. The message is on stdin, with headers. Nothing is printed unless something is wrong. The exit codes are those of sysexits.h. A message with a Message-ID is sent once, however often a program sends it within 24 hours. Other flags of sendmail have no effect, except -C, -D, -d, -q and -X, which are errors. Long flags are those of mailer.',
  'run list':
    'A run is one email batch, one shard of it, or one contact import. The list has the state, the counts and the size of each. It reads the journals on this machine and makes no request.',
  'run get': 'If the journal of the run cannot be read, only its name and size are shown.',
  'run resume':
    'It sends the remaining emails or contacts from the journal, without the input file. The flags, profile and base URL of the run apply, unless others are given. The key is not in the journal; it must belong to the account that started the run. Nothing is sent twice. On a terminal, it asks before it sends; elsewhere, it needs --yes.',
  'run delete': `This deletes the journal, with the emails and addresses in it. Afterwards, the same command would send to everybody again. ${inScripts}`,
  'campaign create': `The campaign is a draft unless --send-now or --scheduled-at is given. If the service rejects the campaign but keeps a draft, the message names the draft. It warns about placeholders that are not variables of the contact book. A name that a campaign has that is not sent yet is an error; --if-missing prints the id of that one, --allow-duplicate creates another one. ${asksToStart}`,
  'campaign list': 'It shows one page; --all shows every page, as it arrives.',
  'campaign get':
    'A name must be exact; if several campaigns have it, the message lists their ids.',
  'campaign watch':
    'On a terminal, there is a bar for each counter, with the rate and the time left; in a pipe, there is a line per change. It ends when the campaign is sent or paused, or turns out to be a draft.',
  'campaign schedule': `Either --scheduled-at or --now is required. The time is in your time zone unless it has its own, and must be in the future unless --allow-past is given. ${asksToStart}`,
  'campaign test':
    "The email has the sender of the campaign, and [Test] before the subject. There is no contact, so placeholders are not filled in, and the unsubscribe link leads nowhere. It warns about placeholders that the campaign will not fill in either, because they are not variables of the contact book. If a draft only has content of the dashboard's editor, the service renders it first, if it can.",
  'campaign pause': 'Emails that were already sent are still delivered.',
  'campaign resume': `The service would also start a draft, or a campaign that has been sent. ${asksToStart}`,
  'campaign delete': inScripts,
  'contact list':
    'The service lists at most 5,000 contacts of a book; for a larger one, use --email to show the others.',
  'contact get':
    'A subscription is pending while the contact has not confirmed it. A contact that was added here, @last, needs no --book.',
  'contact add': `A book has each address once: if the address is already there, that contact is updated, and the message reports it. A contact that has unsubscribed stays unsubscribed. If the service will ask the contact by email to confirm the subscription, because the book has double opt-in, mailer asks first on a terminal, and needs --yes elsewhere.`,
  'contact import':
    'The rows are JSON, JSON Lines or CSV, in any number. The columns email, first name, last name and subscribed are recognised in any spelling; each other column is a property, and an empty cell changes nothing. Columns of other programs that say who wants email are recognised; what is doubtful stops before anything is sent. All rows are checked and compared with the book before the first request. Only new and changed contacts are sent, and read back until the book has them. Contacts that have unsubscribed stay unsubscribed. In a book with double opt-in, new contacts get an email that asks for confirmation, each only once. A journal records what is sent: if an import stops, mailer run resume or the same command resumes it. On a terminal, it asks before it sends; elsewhere, it needs --yes.',
  'contact update':
    'Only the named fields change: properties are added or replaced one by one, and all others are kept.',
  'contact delete': inScripts,
  'contact sync':
    'Contacts are added and changed as by mailer contact import. Contacts that are not in the file are kept, unless --unsubscribe-missing or --delete-missing is given; with these, it is an error if more than half of the book is not in the file. Contacts that have unsubscribed are neither subscribed again nor deleted. It needs the whole list of contacts, so the book may have at most 5,000. You can run it again at any time: it compares again, and sends only what still differs. On a terminal, it shows the difference and asks; elsewhere, it needs --yes.',
  'contact export':
    'The file is CSV, or JSON Lines if its name ends in .jsonl; mailer contact import reads it. An unchanged book gives the same file, byte for byte, so it can be kept in git. The field subscribed is empty for contacts who have not confirmed their subscription, so that an import does not change it. A service lists at most 5,000 contacts of a book; --emails-from looks up the others by address.',
  'contact book list': 'The newest book is first. It shows how many contacts each book has.',
  'contact book get':
    'It shows the properties that campaigns can use, and the sender and the subject of the email that double opt-in sends.',
  'contact book create':
    "Give --double-opt-in: the service's default is on, and then new contacts get an email that asks for confirmation. A name that exists is an error; --if-missing prints its id, --allow-duplicate creates another one.",
  'contact book update':
    'Only the named fields change. The book is read first, so that other variables and properties are kept.',
  'contact book delete': inScripts,
  'segment list': 'It shows the conditions of each segment as segment create takes them.',
  'segment create':
    'A segment is the contacts of a book that match all conditions (with --any, at least one) when it is used. A field is email, firstName, lastName, subscribed, or the name of a property; properties.NAME is always a property. Upper and lower case are different, except for ~ with email and names. Services cannot select contacts without a value. A name that exists is an error; --if-missing prints its id, --allow-duplicate creates another one.',
  'segment preview':
    'It counts the contacts that match the conditions now, and shows some of them.',
  'segment materialize':
    'The new book has the contacts that match the conditions now, those who are not subscribed included; it does not change later. A campaign can be sent to it, and mails the subscribed ones. It can use their properties only if the book has variables: --variables-from gives it those of another book.',
  'segment delete': inScripts,
  'event send':
    'The contact is looked up in its book, because a service looks an address up in all books, and adds and subscribes whom it does not find. With --create, a contact that the book does not have is added as contact add does: if the service will email it, it asks first on a terminal, and needs --yes elsewhere. An event may start an automation at the service, such as an email. If the event is sent twice, the automation may start twice, so the request is retried only if the first one was certainly not processed.',
  'template list': 'Several templates can have the same name.',
  'template get':
    'A name must be exact; if several templates have it, the newest is shown. On a terminal, long HTML is shown as its size; --open, --json and --fields html show all of it.',
  'template create':
    'The service has no update and no delete for templates: a new version is another template with the same name. A placeholder that the service does not fill in, such as a tag of Liquid, is an error, unless --literal is given.',
  'template pull':
    'Each file has the HTML of a template, below its name and subject in YAML between two lines of ---. If several templates have the same name, the newest is written. mailer-templates.lock.json, in the same directory, has the id of each. Before it replaces a file that differs, it asks on a terminal, and needs --yes elsewhere.',
  'template push':
    'Each file is compared with the newest template of its name. If the subject or the HTML differs, a new template is created, and its id is stored in mailer-templates.lock.json at once. If the service rewrites HTML, that file also has a digest of what was sent, so that the template is created only once. Templates without a file are kept. In what is to be created, a placeholder that the service does not fill in, such as a tag of Liquid, is an error, unless --literal is given. If the outcome of a request is unknown, the list of templates shows whether the template was created. On a terminal, it asks first; elsewhere, it needs --yes.',
  'domain add':
    'It prints the DNS records to publish, in any format of mailer domain records. The region is where the service sends from; on a terminal, the region of the newest domain is suggested. Services do not say why they reject a domain, so mailer checks whether the domain is already in the list.',
  'domain list': 'Each domain has a status, such as SUCCESS once it is verified.',
  'domain get': 'It lists the DNS records to publish before the domain can be verified.',
  'domain records':
    'The formats are a zone file, Terraform, the request bodies of Cloudflare and Route 53, and JSON with full names. Without --format, the records are shown as the service returns them.',
  'domain check':
    'It compares DNS with the records that the service requires, without starting a verification. It asks the authoritative name servers, so it sees no cached answers, unless --resolver names other servers.',
  'domain verify':
    'It starts a verification; with --wait, it waits for the result. If the verification fails, it lists the records that are missing or wrong, with expected and found values. If the domain is already verified, the wait ends at once, without a new verification.',
  'domain delete': `Afterwards, nothing can be sent from the domain, and API keys that were restricted to it lose the restriction. ${inScripts}`,
  stats:
    'It counts emails by the day of each event, in UTC. On a terminal, there is a plot of the emails sent, and the totals with their rates.',
  'reputation status':
    'Rates and thresholds are percentages. With --fail-on and --min-distance, it can stop a deploy: --min-distance 0.5 fails if the bounce rate is less than 0.5 percentage points below the threshold at which the service blocks the account. If the sample is too small to judge, --min-distance is not applied.',
  'reputation history':
    'It shows the days with mail, in UTC. On a terminal, there is a plot of the bounce rate.',
  'reputation bounces':
    'It counts hard bounces, one for each recipient, by domain and by reason, the most frequent first.',
  'reputation events':
    "On a terminal, there is a plot of the bounce rate at each change. With --fail-on, it can stop a deploy: it fails if the account's newest state is one of those named.",
  login:
    'On a terminal, it asks for the values that no flag gives; the key is not shown. The key is tested with one call, then stored in a file that only you can read. With --key-command, the command is stored instead, and run each time the key is needed.',
  logout:
    'The base URL and the settings of the profile are kept. Cached names for completion are deleted.',
  whoami:
    'It shows where the base URL and the key come from, tests them, and shows the team and the scopes of the key if the service tells. With --features, it shows instead what the service offers, by its own description of its API.',
  doctor:
    'It checks Node, configuration, key, base URL, DNS, TLS, proxy and clock, and what the service offers, and reports each result, with the fix if it fails. It changes nothing.',
  'profile list': 'A profile is a base URL, a key and settings. Keys are masked.',
  'profile use': 'The current profile is used unless --profile or MAILER_PROFILE names another.',
  'profile rename': 'Its key and its settings do not change.',
  'profile delete': `This also deletes its key, its settings and cached names for completion. ${inScripts}`,
  'config get': 'If the setting is not set, it prints nothing.',
  'config set':
    'Settings are defaults for flags. They belong to a profile: the current one, or the one that --profile names.',
  'config unset': 'The built-in default applies again.',
  'config list': 'It lists all settings of the profile in use, set or not.',
  'config path': 'The file does not exist until something is stored.',
  'policy show':
    'Rules are set in the environment (MAILER_ALLOW_TO and others), in .mailer.json in the working directory and those above it, and in the profile. All of them apply together; no rule can relax another. docs/policy.md explains the rules.',
  'policy set':
    'The rules belong to a profile: the current one, or the one that --profile names. They protect from mistakes, not from people who can change them. docs/policy.md explains the rules.',
  'policy unset': 'Rules in the environment and in .mailer.json do not change.',
  'policy check':
    'Each address is checked against allow-to and deny-to, and against the limits as if it were the only recipient. Under redirect-to, the address that gets the email instead is checked. Nothing is sent.',
  api: 'For endpoints that have no command, with the same key, retries, errors and --dry-run. A DELETE asks first, or needs --yes. Sending an email uses an idempotency key here, too.',
  'sandbox start':
    "It prints two lines that point any client of this API at it, and runs until Ctrl-C. Its URL is an inbox with everything that was sent. The recipient's address determines the outcome: opened@, bounced@, complained@, delayed@; anything else is delivered.",
  'sandbox advance':
    'Scheduled mail is sent, campaigns finish and verifications end, each at the time at which it was due, whether or not the sandbox is running.',
  'sandbox reset': 'A running sandbox continues with the new data.',
  'sandbox seed':
    'The whole file is checked first, and stored as a whole or not at all. docs/sandbox.md has its fields.',
  'sandbox export':
    'Loaded into an empty sandbox, the file restores the same account. Keys, recorded requests and the clock are not exported.',
  'sandbox logs':
    'It shows the last 500 requests to the API, kept across restarts, and the last 20 that were rejected because another site sent them. Keys in a path are hidden; headers and bodies are in the inbox. On a terminal, sandbox start prints the same lines.',
  'sandbox open': 'The sandbox must be running: mailer sandbox start.',
  'sandbox path':
    'The directory does not exist until the sandbox is used. It may be deleted at any time.',
  'sandbox status': 'It shows where the data is, its size, and the URL if the sandbox is running.',
  completion:
    'The script completes commands, flags and their values, files, and the ids and names in your account. The examples show where to put it.',
};
