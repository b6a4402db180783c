import { describe, expect, test } from 'vitest';
import { exitMeanings } from '../../src/cli/model/exit-meanings.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { sysexit } from '../../src/lib/mail/sendmail/sysexits.ts';
import { fileIn } from '../support/connected.ts';
import { type Answer, startRecorder } from '../support/recorder.ts';
import type { Outcome } from '../support/run.ts';
import { createMachine, key, type Machine } from '../support/sample-machine.ts';

/** The exit codes with a meaning of their own, by command. */
const exitsOf = Object.fromEntries(
  await Promise.all(
    manifest.map(async ({ words, load }) => {
      const { exits = {} } = (await load()).command;
      return [words.join(' '), exits] as const;
    }),
  ),
);

describe('the exit codes', () => {
  test('of a command exist', () => {
    const known = exitMeanings.map(({ code }) => String(code));
    const { sendmail, ...others } = exitsOf;
    const used = Object.values(others).flatMap((codes) => Object.keys(codes));
    expect(used.filter((code) => !known.includes(code))).toEqual([]);
    const ofSendmail = Object.keys(sendmail ?? {}).map(Number);
    const documented: readonly number[] = [...ofSendmail, sysexit.software];
    expect(documented.toSorted()).toEqual(Object.values(sysexit));
  });
});

/** A command line, or a function that runs one. */
type Run = string | ((machine: Machine) => Promise<Outcome>);

const message = '--sandbox --from hello@example.com --subject Hi --text Hello';
const send = `email send --to ana@example.org ${message}`;
const bounced = `email send --to bounced@example.org ${message}`;
const campaign =
  "campaign create --name March --subject News --book book_customers --html '{{usesend_unsubscribe_url}}' --sandbox";
const draft = `${campaign} --from hello@example.com`;
/** Nothing listens on this port. */
const nowhere = '--base-url http://127.0.0.1:9/api';

/** A book with more contacts than the service lists, and those that it lists. */
const everyone = { id: 'book_1', name: 'Everyone', _count: { contacts: 5001 } };
const fiveThousand = Array.from({ length: 5000 }, (_, index) => ({
  id: `contact_${index}`,
  email: `${index}@example.org`,
}));

/** A way to every exit code on a command's page. */
const ways: readonly (readonly [command: string, code: number, run: Run])[] = [
  [
    'email send',
    5,
    async ({ run }) => {
      await run(`${send} --idempotency-key one`);
      return await run(`${send} --idempotency-key one --cc ben@example.org`);
    },
  ],
  ['email send', 9, `${bounced} --wait`],
  ['email send', 10, `${send} --wait=OPENED --wait-timeout 1s`],
  ['sendmail', 64, 'sendmail --sandbox'],
  ['sendmail', 65, 'sendmail --sandbox ana@example.org'],
  ['sendmail', 67, handingOver('sendmail --sandbox root')],
  ['sendmail', 69, handingOver('sendmail ana@example.org', (response) => response.destroy())],
  ['sendmail', 75, handingOver('sendmail ana@example.org', { status: 429 })],
  ['sendmail', 77, 'sendmail ana@example.org'],
  ['sendmail', 78, handingOver('sendmail --sandbox ana@example.org', undefined, '')],
  [
    'policy check',
    2,
    async ({ run }) => {
      await run('policy set --allow-to *@example.com');
      return await run('policy check ana@example.org');
    },
  ],
  ['email batch', 2, `email batch nobody.csv ${message} --yes`],
  [
    'email batch',
    9,
    async ({ run, world }) => {
      fileIn(world, 'rejecting.csv', 'to\nbounced@example.org\n');
      return await run(`email batch rejecting.csv ${message} --yes --wait`);
    },
  ],
  ['email batch', 10, `email batch people.csv ${message} --yes --wait=OPENED --wait-timeout 1s`],
  ['email batch', 11, `email batch nobody.csv ${message} --yes --skip-invalid`],
  ['email get', 4, 'email get nobody --sandbox'],
  ['email get', 9, about(bounced, 'email get ID --wait')],
  ['email get', 10, 'email get email_receipt --wait=CLICKED --wait-timeout 1s --sandbox'],
  ['email reschedule', 1, 'email reschedule email_receipt --scheduled-at tomorrow --sandbox'],
  ['email reschedule', 4, 'email reschedule nobody --scheduled-at tomorrow --sandbox'],
  ['email check', 9, `email check --subject Hi --html '<img>'`],
  ['email cancel', 1, 'email cancel email_receipt --sandbox'],
  ['email cancel', 4, 'email cancel nobody --sandbox'],
  ['run get', 4, 'run get nobody --sandbox'],
  ['run resume', 2, resumed('people.csv', '--base-url http://127.0.0.1:9/api')],
  ['run resume', 4, 'run resume nobody --yes --sandbox'],
  ['run resume', 9, resumed('rejecting.csv', '--wait')],
  ['run resume', 10, resumed('people.csv', '--wait=OPENED --wait-timeout 1s')],
  ['run resume', 11, resumed('nobody.csv', '--quiet')],
  ['run delete', 4, 'run delete nobody --yes --sandbox'],
  ['campaign create', 1, `${campaign} --from hello@unknown.example`],
  [
    'campaign create',
    5,
    async ({ run }) => {
      await run(draft);
      return await run(draft);
    },
  ],
  ['campaign create', 9, `${draft.replace('{{', '<img>{{')} --check`],
  ['campaign get', 4, 'campaign get nobody --sandbox'],
  ['campaign watch', 4, 'campaign watch nobody --sandbox'],
  ['campaign watch', 9, about(draft, 'campaign watch ID')],
  [
    'campaign watch',
    10,
    async ({ run, first }) => {
      const id = await first(draft);
      await run(`campaign schedule ${id} --scheduled-at tomorrow --yes --sandbox`);
      return await run(`campaign watch ${id} --wait-timeout 1s --sandbox`);
    },
  ],
  ['campaign schedule', 4, 'campaign schedule nobody --now --sandbox'],
  ['campaign test', 4, 'campaign test nobody --to me@example.org --sandbox'],
  [
    'campaign test',
    5,
    async ({ run, first }) => {
      await run(`${send} --idempotency-key one`);
      const id = await first(draft);
      return await run(`campaign test ${id} --to me@example.org --idempotency-key one --sandbox`);
    },
  ],
  ['campaign test', 9, about(draft, 'campaign test ID --to bounced@example.org --wait')],
  [
    'campaign test',
    10,
    about(draft, 'campaign test ID --to me@example.org --wait=OPENED --wait-timeout 1s'),
  ],
  ['campaign pause', 4, 'campaign pause nobody --sandbox'],
  ['campaign resume', 4, 'campaign resume nobody --yes --sandbox'],
  ['campaign delete', 4, 'campaign delete nobody --yes --sandbox'],
  ['contact list', 4, 'contact list --book nobody --sandbox'],
  [
    'contact list',
    11,
    async ({ run, world }) => {
      const { baseUrl } = await startRecorder({ body: fiveThousand }, { body: everyone });
      world.env.MAILER_API_KEY = key;
      return await run(`contact list --book book_1 --base-url ${baseUrl}`);
    },
  ],
  [
    'campaign schedule',
    5,
    async ({ run, world }) => {
      const sent = { body: { id: 'campaign_1', status: 'SENT', name: 'N' } };
      const { baseUrl } = await startRecorder(sent);
      world.env.MAILER_API_KEY = key;
      return await run(`campaign schedule campaign_1 --now --yes --base-url ${baseUrl}`);
    },
  ],
  [
    'campaign resume',
    5,
    async ({ run, world }) => {
      const sent = { body: { id: 'campaign_1', status: 'SENT', name: 'N' } };
      const { baseUrl } = await startRecorder(sent);
      world.env.MAILER_API_KEY = key;
      return await run(`campaign resume campaign_1 --yes --base-url ${baseUrl}`);
    },
  ],
  ['contact get', 4, 'contact get nobody --book book_customers --sandbox'],
  ['contact add', 4, 'contact add --email a@example.org --book nobody --sandbox'],
  ['contact import', 2, 'contact import nobody.csv --book book_customers --yes --sandbox'],
  ['contact import', 4, 'contact import contacts.csv --book nobody --yes --sandbox'],
  [
    'contact import',
    10,
    'contact import contacts.csv --book book_customers --yes --wait-timeout 500ms --sandbox',
  ],
  [
    'contact import',
    11,
    async ({ run, world }) => {
      fileIn(world, 'some.csv', 'email\nana\nben@example.org\n');
      return await run(
        'contact import some.csv --book book_customers --yes --skip-invalid --sandbox',
      );
    },
  ],
  ['contact sync', 2, 'contact sync nobody.csv --book book_customers --yes --sandbox'],
  ['contact sync', 4, 'contact sync contacts.csv --book nobody --yes --sandbox'],
  [
    'contact sync',
    10,
    'contact sync contacts.csv --book book_customers --yes --wait-timeout 500ms --sandbox',
  ],
  [
    'contact sync',
    11,
    async ({ run, world }) => {
      fileIn(world, 'some.csv', 'email\nana\nben@example.org\n');
      return await run(
        'contact sync some.csv --book book_customers --yes --skip-invalid --sandbox',
      );
    },
  ],
  ['contact export', 4, 'contact export --book nobody --sandbox'],
  [
    'contact export',
    11,
    async ({ run, world }) => {
      const { baseUrl } = await startRecorder(
        ...[[everyone], fiveThousand, everyone].map((body) => ({ body })),
      );
      world.env.MAILER_API_KEY = key;
      return await run(`contact export --book Everyone --base-url ${baseUrl}`);
    },
  ],
  ['contact update', 4, 'contact update nobody --book book_customers --first-name A --sandbox'],
  ['contact delete', 4, 'contact delete nobody --book book_customers --yes --sandbox'],
  ['contact book create', 5, 'contact book create --name Customers --double-opt-in on --sandbox'],
  ['contact book get', 4, 'contact book get nobody --sandbox'],
  ['contact book update', 4, 'contact book update nobody --name A --sandbox'],
  ['contact book delete', 4, 'contact book delete nobody --yes --sandbox'],
  ['domain add', 5, 'domain add example.com --region us-east-1 --sandbox'],
  ['domain add', 7, 'domain add new.example --region mars-1 --sandbox'],
  ['domain get', 4, 'domain get nobody.example --sandbox'],
  ['domain records', 4, 'domain records nobody.example --sandbox'],
  ['domain check', 4, 'domain check nobody.example --sandbox'],
  [
    'domain check',
    9,
    async ({ run, dns }) => run(`domain check example.net --resolver ${dns} --sandbox`),
  ],
  ['domain verify', 4, 'domain verify nobody.example --sandbox'],
  [
    'domain verify',
    9,
    async ({ run, world, dns }) => {
      fileIn(world, 'failing.json', { domains: [{ name: 'fail.example', status: 'PENDING' }] });
      await run('sandbox seed failing.json');
      return await run(`domain verify fail.example --wait --resolver ${dns} --sandbox`);
    },
  ],
  [
    'domain verify',
    10,
    async ({ run, dns }) =>
      run(`domain verify example.net --wait --wait-timeout 1s --resolver ${dns} --sandbox`),
  ],
  ['domain delete', 4, 'domain delete 99 --yes --sandbox'],
  ['segment list', 4, lacking('segment list')],
  [
    'segment create',
    4,
    lacking('segment create --name Pro --book book_customers --where plan=pro'),
  ],
  [
    'segment create',
    5,
    async ({ run }) => {
      const create = 'segment create --name Pro --book book_customers --sandbox --where';
      await run(`${create} plan=pro`);
      return await run(`${create} plan=pro`);
    },
  ],
  ['segment preview', 4, 'segment preview Nobody --sandbox'],
  ['segment materialize', 4, 'segment materialize Nobody --name A --sandbox'],
  [
    'segment materialize',
    5,
    async ({ run }) => {
      await run('segment create --name Pro --book book_customers --where plan=pro --sandbox');
      return await run('segment materialize Pro --name Customers --sandbox');
    },
  ],
  ['segment delete', 4, 'segment delete Nobody --yes --sandbox'],
  ['event send', 4, 'event send signed_up --contact nobody --sandbox'],
  ['template list', 4, lacking('template list')],
  ['template get', 4, 'template get nothing --sandbox'],
  ['template create', 4, lacking('template create --name A --subject S --html x')],
  ['template pull', 4, lacking('template pull templates')],
  [
    'template push',
    2,
    async ({ run, world }) => {
      fileIn(world, 'templates/a.html', 'no name');
      return await run('template push templates --sandbox');
    },
  ],
  [
    'template push',
    4,
    async (machine) => {
      fileIn(machine.world, 'templates/a.html', '---\nname: A\nsubject: S\n---\nHello\n');
      return await lacking('template push templates')(machine);
    },
  ],
  ['stats', 4, 'stats --domain nobody.example --sandbox'],
  ['reputation status', 4, lacking('reputation status')],
  ['reputation status', 9, 'reputation status --min-distance 9 --sandbox'],
  ['reputation history', 4, lacking('reputation history')],
  ['reputation bounces', 4, lacking('reputation bounces')],
  ['reputation events', 4, lacking('reputation events')],
  ['reputation events', 9, 'reputation events --fail-on HEALTHY --sandbox'],
  [
    'login',
    3,
    async ({ run }) => {
      const { baseUrl } = await startRecorder({ status: 401 });
      return await run(`login --with-token --base-url ${baseUrl}`, { stdin: key });
    },
  ],
  ['whoami', 3, `whoami ${nowhere}`],
  ['whoami', 7, withKey(`whoami ${nowhere} --retries 0`)],
  ['doctor', 7, withKey(`doctor ${nowhere} --retries 0`)],
  ['profile use', 4, 'profile use nobody'],
  ['profile rename', 4, 'profile rename nobody somebody'],
  ['profile delete', 4, 'profile delete nobody --yes'],
  ['api', 1, 'api POST /v1/emails -f to=1 --sandbox'],
  ['api', 4, 'api GET /v1/emails/nobody --sandbox'],
  [
    'sandbox start',
    2,
    async ({ run, service }) => await run(`sandbox start --port ${new URL(service).port}`),
  ],
  ['sandbox start', 130, ({ serving }) => serving('sandbox start --port 0', async () => {})],
  ['sandbox open', 7, 'sandbox open'],
];

/** Runs a command line with the id that another one prints. */
function about(before: string, line: string): Run {
  return async ({ run, first }) =>
    await run(`${line.replace('ID', await first(before))} --sandbox`);
}

/** Runs a file and resumes the run with these flags. */
function resumed(file: string, flags: string): Run {
  return async ({ run, first, world }) => {
    fileIn(world, 'rejecting.csv', 'to\nbounced@example.org\n');
    await run(`email batch ${file} ${message} --yes --skip-invalid`);
    return await run(`run resume ${await first('run list --sandbox')} ${flags} --yes --sandbox`);
  };
}

/** Runs a command line at a service that has no such endpoint, only others. */
function lacking(line: string): Exclude<Run, string> {
  return async ({ run, world }) => {
    const { baseUrl } = await startRecorder({ status: 404, body: 'Not Found' }, { body: [] });
    world.env.MAILER_API_KEY = key;
    return await run(`${line} --base-url ${baseUrl}`);
  };
}

/** Runs a command line with a message on stdin, with or without a sender, at a service with this response. */
function handingOver(line: string, response?: Answer, from = '--from a@b.example'): Run {
  return async ({ run, world }) => {
    const { baseUrl } = await startRecorder(...(response === undefined ? [] : [response]));
    world.env.MAILER_API_KEY = key;
    world.env.MAILER_BASE_URL = baseUrl;
    return await run(`${line} --retries 0 ${from}`.trim(), { stdin: 'Subject: Hi\n\nHi\n' });
  };
}

function withKey(line: string): Run {
  return async ({ run, world }) => {
    world.env.MAILER_API_KEY = key;
    return await run(line);
  };
}

/** Checks the code only, not its description: each code has a way to it. */
describe('the exit codes of a command', () => {
  test('have a meaning in the file of the command, if a line below ends with them', () => {
    const unknown = ways.filter(([command, code]) => exitsOf[command]?.[code] === undefined);
    expect(unknown).toEqual([]);
  });

  test.each(ways)('%s ends with %i', async (command, code, way) => {
    if (typeof way === 'string') expect(way).toContain(command);
    const machine = await createMachine();
    const outcome = typeof way === 'string' ? await machine.run(way) : await way(machine);
    expect({ ...outcome, exitCode: outcome.exitCode }).toMatchObject({ exitCode: code });
  });
});
