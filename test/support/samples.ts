import { key, type Machine } from './sample-machine.ts';

/** A command line whose output is validated. */
export interface Sample {
  /** The command, and the index of the document that it prints. */
  readonly command: string;
  readonly case: number;
  readonly exitCode: number;
  readonly stdin?: string;
  /** Prepares what is needed, and returns the command line without its format. */
  line(machine: Machine): Promise<string>;
}

const email = '--sandbox --from hello@example.com --subject Hi --text Hello';
const send = `email send --to ana@example.org ${email}`;
const scheduled = `${send} --scheduled-at tomorrow`;
const batch = `email batch people.csv ${email}`;
const html = '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
const campaign = `campaign create --name March --from hello@example.com --subject News --book book_customers --html '${html}' --sandbox`;
const segment = 'segment create --name Pro --book book_customers --where plan=pro --sandbox';
const template =
  "template create --name Receipt --subject 'Order {{number}}' --html '<p>Thank you.</p>' --sandbox";

const imported = 'contact import contacts.csv --book book_customers --yes --sandbox';

/** Command lines whose output is checked in several ways: by schemas, names of fields, and on a full disk. */
export const samples: readonly Sample[] = [
  sample('email send', send),
  sample('email send', `${send} --wait`, { case: 1 }),
  sample('email send', `${send} --preview`, { case: 2 }),
  sample('email send', `email send --to bounced@example.org ${email} --wait`, {
    case: 1,
    exitCode: 9,
  }),
  sample('email batch', `${batch} --yes`),
  sample('email batch', `email batch nobody.csv ${email} --yes --skip-invalid`, { exitCode: 11 }),
  sample('email batch', `${batch} --yes --wait`, { case: 1 }),
  sample('email batch', `${batch} --preview 1`, { case: 2 }),
  sample('email get', 'email get email_receipt --sandbox'),
  sample('email get', 'email get email_receipt email_welcome --sandbox', { case: 1 }),
  sample('email list', 'email list --sandbox'),
  sample('email watch', 'email watch --since 2026-01-01 --count 1 --sandbox'),
  sample('email export', 'email export --output emails.jsonl --yes --sandbox'),
  sample('email list', 'email list --sandbox --all'),
  sample(
    'email reschedule',
    about(scheduled, 'email reschedule ID --scheduled-at 2026-02-01T09:00Z'),
  ),
  sample('email cancel', about(scheduled, 'email cancel ID')),
  sample('email check', "email check --subject Hi --html '<p>{{ name }}'", { exitCode: 9 }),
  sample('sendmail', 'sendmail ana@example.org --from hello@example.com --sandbox', {
    stdin: 'Subject: Hi\n\nHello\n',
  }),
  sample('run list', after(`${batch} --yes`, 'run list --sandbox')),
  sample('run get', aboutRun('run get RUN')),
  sample('run get', aboutRun('run get RUN --deliveries'), { case: 1 }),
  sample('run get', aboutRun('run get RUN --status queued,sent'), { case: 2 }),
  sample('run watch', aboutRun('run watch RUN')),
  sample('run resume', aboutRun('run resume RUN')),
  sample('run resume', aboutRun('run resume RUN --wait'), { case: 1 }),
  sample('run delete', aboutRun('run delete RUN --yes')),
  sample('campaign create', campaign),
  sample('campaign list', after(campaign, 'campaign list --sandbox')),
  sample('campaign get', about(campaign, 'campaign get ID')),
  sample('campaign watch', async ({ run, first }) => {
    const id = await first(campaign);
    await run(`campaign schedule ${id} --yes --now --sandbox`);
    return `campaign watch ${id} --sandbox`;
  }),
  sample('campaign schedule', about(campaign, 'campaign schedule ID --yes --now')),
  sample('campaign test', about(campaign, 'campaign test ID --to me@example.org')),
  sample('campaign test', about(campaign, 'campaign test ID --to me@example.org --wait'), {
    case: 1,
  }),
  sample(
    'campaign pause',
    about(`${campaign} --scheduled-at 2026-02-01T09:00Z --yes`, 'campaign pause ID --yes'),
  ),
  sample('campaign resume', about(campaign, 'campaign resume ID --yes')),
  sample('campaign delete', about(campaign, 'campaign delete ID --yes')),
  sample(
    'contact list',
    'contact list --book book_customers --email opened+ben@example.com --sandbox',
  ),
  sample('contact get', 'contact get contact_ana --book book_customers --sandbox'),
  sample('contact add', 'contact add --book book_customers --email eva@example.org --sandbox'),
  sample('contact import', imported),
  sample(
    'contact update',
    'contact update contact_ana --book book_customers --first-name Ana --sandbox',
  ),
  sample('contact delete', 'contact delete contact_ana --book book_customers --yes --sandbox'),
  sample('contact sync', 'contact sync contacts.csv --book book_customers --yes --sandbox'),
  sample('contact sync', 'contact sync contacts.csv --book Customers --dry-run --sandbox'),
  sample('contact export', 'contact export --book Customers --sandbox'),
  sample('contact book list', 'contact book list --sandbox'),
  sample('contact book get', 'contact book get book_customers --sandbox'),
  sample('contact book create', 'contact book create --name News --double-opt-in off --sandbox'),
  sample('contact book update', 'contact book update book_customers --add-variable city --sandbox'),
  sample('contact book delete', 'contact book delete book_customers --yes --sandbox'),
  sample('segment list', after(segment, 'segment list --sandbox')),
  sample('segment create', segment),
  sample('segment preview', about(segment, 'segment preview ID')),
  sample('segment materialize', about(segment, 'segment materialize ID --name March')),
  sample('segment delete', about(segment, 'segment delete ID --yes')),
  sample('event send', 'event send signed_up --contact contact_ana --sandbox'),
  sample('template list', 'template list --sandbox'),
  sample('template get', 'template get Welcome --sandbox'),
  sample('template create', template),
  sample('template pull', 'template pull templates --sandbox'),
  sample(
    'template push',
    after('template pull templates --sandbox', 'template push templates --sandbox'),
  ),
  sample('domain add', 'domain add mail.example.net --region us-east-1 --sandbox'),
  sample('domain list', 'domain list --sandbox'),
  sample('domain get', 'domain get example.net --sandbox'),
  sample('domain records', 'domain records example.net --sandbox'),
  sample(
    'domain check',
    async ({ dns }) => `domain check example.net --resolver ${dns} --sandbox`,
    { exitCode: 9 },
  ),
  sample('domain check', 'domain check example.net --sandbox', { exitCode: 9 }),
  sample('domain verify', 'domain verify example.net --sandbox'),
  sample('domain verify', 'domain verify example.net --wait --sandbox', { case: 1 }),
  sample('domain delete', 'domain delete example.net --yes --sandbox'),
  sample('dmarc report', 'dmarc report report.xml --sandbox'),
  sample('dmarc report', 'dmarc report report.xml seeds.json --by day', { exitCode: 11 }),
  sample('stats', 'stats --sandbox'),
  sample('stats', 'stats --total --sandbox', { case: 1 }),
  sample('reputation status', 'reputation status --sandbox'),
  sample('reputation status', 'reputation status --fail-on HEALTHY --sandbox', { exitCode: 9 }),
  sample('reputation history', 'reputation history --sandbox'),
  sample(
    'reputation bounces',
    after(`email send --to bounced@example.org ${email}`, 'reputation bounces --sandbox'),
  ),
  sample('reputation events', 'reputation events --sandbox'),
  sample('login', async ({ service }) => `login --with-token --base-url ${service}`, {
    stdin: key,
  }),
  sample('login', async ({ service }) => `login --key-command 'echo us_1' --base-url ${service}`),
  sample('logout', loggedIn('logout')),
  sample('whoami', loggedIn('whoami')),
  sample('whoami', 'whoami --sandbox'),
  sample('whoami', 'whoami --features --sandbox', { case: 1 }),
  sample('whoami', 'whoami --base-url http://127.0.0.1:9/api', { exitCode: 3 }),
  sample('doctor', 'doctor --sandbox'),
  sample('doctor', 'doctor --base-url http://127.0.0.1:9/api', { exitCode: 3 }),
  sample('profile list', loggedIn('profile list')),
  sample('profile use', loggedIn('profile use default')),
  sample('profile rename', loggedIn('profile rename default work')),
  sample('profile delete', loggedIn('profile delete default --yes')),
  sample('config get', after('config set timezone Europe/Berlin', 'config get timezone')),
  sample('config get', 'config get timezone'),
  sample('config set', 'config set timezone Europe/Berlin'),
  sample('config unset', 'config unset timezone'),
  sample('config list', 'config list'),
  sample('config path', 'config path'),
  sample(
    'policy show',
    after('policy set --allow-to *@example.com --max-per-day 9', 'policy show'),
  ),
  sample('policy set', 'policy set --redirect-to ana@example.org --campaigns off'),
  sample('policy unset', after('policy set --max-per-day 9', 'policy unset max-per-day --yes')),
  sample(
    'log list',
    after('contact book create --name New --double-opt-in off --sandbox', 'log list --sandbox'),
  ),
  sample(
    'log get',
    after('contact book create --name New --double-opt-in off --sandbox', 'log get 1 --sandbox'),
  ),
  sample('policy check', 'policy check ana@example.org'),
  sample('api', 'api GET /v1/contactBooks --sandbox'),
  sample('api', 'api GET /v1/contactBooks --include --sandbox', { case: 1 }),
  sample('sandbox start', 'sandbox start --port 0', { exitCode: 130 }),
  sample('sandbox advance', after(scheduled, 'sandbox advance 1d')),
  sample('sandbox reset', 'sandbox reset --yes'),
  sample('sandbox seed', 'sandbox seed seeds.json'),
  sample('sandbox export', after('sandbox seed seeds.json --empty', 'sandbox export')),
  sample('sandbox export', after(send, 'sandbox export')),
  sample('sandbox export', 'sandbox export export.json', { case: 1 }),
  sample('sandbox logs', after('domain list --sandbox', 'sandbox logs')),
  sample('sandbox open', 'sandbox open'),
  sample('sandbox path', 'sandbox path'),
  sample('sandbox status', 'sandbox status'),
  sample('sandbox status', after('domain list --sandbox', 'sandbox status')),
  sample('commands', 'commands'),
  sample('commands', 'commands email --all', { case: 1 }),
  sample('completion', 'completion fish'),
];

type Line = string | Sample['line'];

function sample(
  command: string,
  line: Line,
  rest: Partial<Pick<Sample, 'case' | 'exitCode' | 'stdin'>> = {},
): Sample {
  const made = typeof line === 'string' ? async () => line : line;
  return { command, line: made, case: 0, exitCode: 0, ...rest };
}

/** Runs one command line before another. */
function after(before: string, line: string): Sample['line'] {
  return async ({ run }) => {
    await run(before);
    return line;
  };
}

/** A command line about what another one has created in the sandbox. */
function about(before: string, line: string): Sample['line'] {
  return async ({ first }) => `${line.replace('ID', await first(before))} --sandbox`;
}

/** A command line about a run in the sandbox. */
function aboutRun(line: string): Sample['line'] {
  return async ({ run, first }) => {
    await run(`${batch} --yes`);
    return `${line.replace('RUN', await first('run list --sandbox'))} --sandbox`;
  };
}

function loggedIn(line: string): Sample['line'] {
  return async ({ run, service }) => {
    await run(`login --with-token --base-url ${service}`, { stdin: key });
    return line;
  };
}
