import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseFault } from '../../src/sandbox/http/faults/fault.ts';
import { blockedApiKey, sandboxApiKey, secondApiKey } from '../../src/sandbox/model/api-account.ts';
import { seedFile } from '../../src/sandbox/seeds/seed-file.ts';
import { email, second, startSandbox } from '../sandbox/harness.ts';
import { needing, works } from '../support/needs.ts';
import { patience } from '../support/patience.ts';
import { root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { serveIn } from '../support/serving.ts';
import { createMachine, type Machine } from './machine.ts';

// Each file and each block is used exactly as on the page.

const path = join(root, 'docs', 'sandbox.md');
const page = readFileSync(path, 'utf8');
const fence = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm;
const python = works('python3 --version', 'python3');
const jq = works('jq --version', 'jq');

function blocks(language: string): string[] {
  return [...page.matchAll(fence)]
    .filter((block) => block[1] === language)
    .map(([, , , text = '']) => text);
}

/** The block with this file name. */
function file(name: string): string {
  const found = [...page.matchAll(fence)].find((block) => block[2] === name);
  return found?.[3] ?? '';
}

/** The cells of the table with these headings, by row. */
function table(...headings: readonly string[]): string[][] {
  const [, body = ''] = page.split(`\n| ${headings.join(' | ')} |\n`);
  const [rows = ''] = body.split('\n\n');
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

/** A machine with the page's files. */
function machineWithFiles(): Machine {
  const machine = createMachine({ env: { MAILER_SANDBOX_DIR: 'box' } });
  for (const [, , name, text = ''] of page.matchAll(fence)) {
    if (name !== undefined) writeFileSync(join(machine.home, name), text);
  }
  return machine;
}

/** Replaces ids that differ at each run. */
function withoutChance(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    text.replace(/\bc[a-z0-9]{24}\b/g, (id) => {
      const name = known.get(id) ?? `cmkf0y3b4000${known.size}08l4f2gh1q9z`;
      known.set(id, name);
      return name;
    });
}

test('the console blocks have the output of the commands', needing(jq), async () => {
  const machine = machineWithFiles();
  const plain = withoutChance();
  let current = page;
  for (const block of blocks('console')) {
    let now = '';
    for (const command of block.split('\n').filter((line) => line.startsWith('$ '))) {
      now += `${command}\n${plain((await machine.run(command.slice(2))).log)}`;
    }
    current = current.replace(block, () => now);
  }
  await expect(current).toMatchFileSnapshot(path);
});

test('the keys of the page are the keys of the sandbox', () => {
  const keys = [...page.matchAll(/\bus_sandbox_\w+/g)].map(([key]) => key);
  const own = keys.filter((key) => !key.startsWith('us_sandbox_test_'));
  expect(new Set(own)).toEqual(new Set([sandboxApiKey, secondApiKey, blockedApiKey]));
});

describe('the outcome of a message', () => {
  const rows = table('Recipient', 'Events').map(([name = '', events = '']) => {
    const [, local = ''] = /^`([\w-]+)@`/.exec(name) ?? [];
    return [local, [...events.matchAll(/[A-Z_]{4,}/g)].map(([status]) => status)] as const;
  });

  test.each([...rows, ['anybody', ['SENT', 'DELIVERED']] as const])(
    'for %s@ is %j',
    async (local, events) => {
      const { ok, advance } = startSandbox();
      for (const to of [`${local}@example.org`, `${local}+tag@example.net`]) {
        const { emailId } = await ok('email.send', { body: email({ to }) });
        advance(10 * second);
        const { emailEvents } = await ok('email.get', { params: { emailId } });
        const inOrder = emailEvents.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
        expect(inOrder.map(({ status }) => status)).toEqual(events);
      }
    },
  );

  test('is documented for every recipient', async () => {
    const source = readFileSync(
      join(root, 'src', 'sandbox', 'model', 'email', 'outcomes.ts'),
      'utf8',
    );
    const names = [...source.matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(([, name]) => name);
    expect(rows.map(([local]) => local).toSorted()).toEqual([...names, 'suppressed'].toSorted());
  });
});

/** Fields of which an entry needs one. */
const eitherOf: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['book'],
  templates: ['html', 'content'],
};

test('the table of the lists names every field, required or optional', () => {
  const rows = table('List', 'Required', 'Optional');
  const names = (cell: string) =>
    [...cell.replace(/\((?!`total).*?\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const lists = Object.entries(seedFile.shape).map(([name, list]) => {
    const fields = Object.entries(list.unwrap().element.shape);
    const [optional, needed] = [true, false].map((is) =>
      fields.filter(([, field]) => field.safeParse(undefined).success === is).map(([key]) => key),
    );
    return { name, needed: needed ?? [], optional: optional ?? [] };
  });
  for (const { name, needed, optional } of lists) {
    const [, shownNeeded = '', shownOptional = ''] =
      rows.find(([cell]) => cell === `\`${name}\``) ?? [];
    const either = eitherOf[name] ?? [];
    expect(names(shownNeeded).toSorted(), name).toEqual([...needed, ...either].toSorted());
    expect(names(shownOptional).toSorted(), name).toEqual(
      optional.filter((field) => !either.includes(field)).toSorted(),
    );
  }
  expect(rows.map(([name]) => name).toSorted()).toEqual(
    lists.map(({ name }) => `\`${name}\``).toSorted(),
  );
});

const run = z.strictObject({
  name: z.string().optional(),
  if: z.literal('always()').optional(),
  // Expressions in scripts allow command injection.
  run: z.string().refine((text) => !text.includes('${{'), 'no expressions in scripts'),
});
const action = z.strictObject({
  uses: z.enum(['actions/checkout@v5', 'actions/setup-node@v6']),
  with: z.strictObject({ 'node-version': z.union([z.literal(24), z.literal(26)]) }).optional(),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.array(z.literal('push')),
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.strictObject({
    test: z.strictObject({
      'runs-on': z.literal('ubuntu-latest'),
      'timeout-minutes': z.int(),
      env: z.strictObject({ MAILER_PACKAGE: z.string().regex(/^\$\{\{ vars\.\w+ \}\}$/) }),
      steps: z.array(z.union([action, run])),
    }),
  }),
});

test('the GitHub job serves a sandbox that its tests reach', needing(jq), async () => {
  const { steps } = workflow.parse(parse(file('github.yaml'))).jobs.test;
  const machine = machineWithFiles();
  endServers(machine);
  const variables = join(machine.home, 'variables');
  writeFileSync(variables, '');
  const message = '--to ana@example.org --from shop@shop.test --subject Tested --text Hi';
  machine.addProgram(
    'npm',
    `#!/bin/sh\ncase "$*" in\n"install --global a.tgz" | ci) ;;\ntest) mailer email send ${message} ;;\n*) exit 99 ;;\nesac\n`,
  );
  let last = '';
  for (const step of steps) {
    if (!('run' in step)) continue;
    const given = readFileSync(variables, 'utf8').trim().split('\n');
    const env = Object.fromEntries(given.map((line) => line.split(/=(.*)/)));
    // The usual port may be in use on this machine.
    const script = step.run.replace('sandbox start ', 'sandbox start --port 0 ');
    const { exitCode, log } = await machine.run(script, {
      shell: ['bash', '-e'],
      env: { ...env, MAILER_PACKAGE: 'a.tgz', GITHUB_ENV: variables, CI: 'true' },
    });
    expect({ exitCode, log }, step.run).toMatchObject({ exitCode: 0 });
    last = log;
  }
  expect(last).toContain('\tTested\t');
  expect(last).toContain('email_2\t');
});

const compose = z.strictObject({
  services: z.strictObject({
    mail: z.strictObject({
      image: z.literal('node:24'),
      working_dir: z.string(),
      volumes: z.array(z.string()),
      environment: z.strictObject({ MAILER_PACKAGE: z.string() }),
      command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]),
      ports: z.tuple([z.string()]),
      healthcheck: z.strictObject({
        test: z.tuple([z.literal('CMD'), z.literal('node'), z.literal('-e'), z.string()]),
        interval: z.string(),
        retries: z.int(),
      }),
    }),
    app: z.strictObject({
      build: z.string(),
      environment: z.record(z.string(), z.string()),
      depends_on: z.strictObject({
        mail: z.strictObject({ condition: z.literal('service_healthy') }),
      }),
    }),
  }),
});

/** The instructions of the page's Containerfile, in order. */
function containerfile(): { readonly name: string; readonly value: string }[] {
  return file('Containerfile')
    .trim()
    .split('\n')
    .map((line) => {
      const [, name = '', value = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      return { name, value };
    });
}

test('the Containerfile runs the sandbox without root, and knows when it is ready', async () => {
  const instructions = containerfile();
  const names = 'FROM ARG RUN USER ENV EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  expect(instructions.map(({ name }) => name)).toEqual(names);
  const of = (name: string) => instructions.find((one) => one.name === name)?.value ?? '';
  expect(of('USER')).toBe('node');
  // JSON, so that no shell stands between the container's signals and the program.
  const words: string[] = [...JSON.parse(of('ENTRYPOINT')), ...JSON.parse(of('CMD'))];
  expect(words.slice(0, 3)).toEqual(['mailer', 'sandbox', 'start']);
  const served = await serveIn(
    createWorld(),
    words.slice(3).map((word) => (word === '1025' ? '0' : word)),
  );
  const [, , check = ''] = JSON.parse(of('HEALTHCHECK').replace(/^.*? CMD /, ''));
  expect(compose.parse(parse(file('compose.yaml'))).services.mail.healthcheck.test.at(-1)).toBe(
    check,
  );
  const exitCodeAt = async (port: number) =>
    (await execa('node', ['-e', check.replace('4100', String(port))], { reject: false })).exitCode;
  expect(await exitCodeAt(served.port)).toBe(0);
  expect(await exitCodeAt(1)).toBe(1);
  expect(parse(file('services.yaml')).services.mail.ports).toEqual(['127.0.0.1:4100:4100']);
});

test('the services of compose.yaml reach each other', async () => {
  const { mail, app } = compose.parse(parse(file('compose.yaml'))).services;
  // Others on the network must not reach a published port.
  expect(mail.ports).toEqual(['127.0.0.1:4100:4100']);
  expect(mail.volumes).toEqual([`./:${mail.working_dir}:ro`]);
  const machine = machineWithFiles();
  const endServer = endServers(machine);
  machine.addProgram('npm', '#!/bin/sh\n[ "$*" = "install --global a.tgz" ]\n');
  const [, , command] = mail.command;
  // Compose replaces two dollar signs by one.
  const script = command.replaceAll('$$', '$').replace('--host', '--port 0 --json --host');
  const served = machine.run(script, { shell: ['sh'], env: { MAILER_PACKAGE: 'a.tgz' } });
  await expect.poll(() => machine.log(), { timeout: patience }).toContain('"port":');
  const port = String(/"port":(\d+)/.exec(machine.log())?.[1]);

  const { MAILER_BASE_URL = '', MAILER_API_KEY = '' } = app.environment;
  const { hostname, pathname } = new URL(MAILER_BASE_URL);
  expect(hostname).toBe('mail');
  const { stdout } = await execa('curl', [
    '--silent',
    '--fail',
    '--resolve',
    `${hostname}:${port}:127.0.0.1`,
    '--header',
    `Authorization: Bearer ${MAILER_API_KEY}`,
    `http://${hostname}:${port}${pathname}/v1/domains`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject([{ name: 'shop.test' }]);
  endServer();
  await served;
});

test('mailpit.yaml adds a mail catcher to compose.yaml', () => {
  const { services } = parse(file('mailpit.yaml'));
  const { mail, mailpit } = services;
  expect(Object.keys(services)).toEqual(['mail', 'mailpit']);
  expect(new URL(mail.environment.MAILER_SANDBOX_SMTP_URL).hostname).toBe('mailpit');
  expect(mailpit.ports).toEqual(['127.0.0.1:8025:8025']);
});

test('the Python script sends over SMTP', needing(python), async () => {
  const machine = createMachine();
  const { env, smtpPort } = await serveIn(createWorld(), '--smtp-port 0');
  writeFileSync(join(machine.home, 'send.py'), file('send.py').replace('1025', String(smtpPort)));
  expect(await machine.run('python3 send.py')).toEqual({ exitCode: 0, log: '' });
  const { log } = await machine.run('mailer email list --json', { env });
  expect(JSON.parse(log).data[0]).toMatchObject({
    from: 'Shop <shop@shop.test>',
    to: ['Ana <ana@example.org>'],
    bcc: ['bounced@example.org'],
    subject: 'Order 5',
    text: 'Thank you',
  });
});

describe('the fault effects', () => {
  const effects = table('Effect', 'What happens').map(([cell = '']) => /`([^`]+)`/.exec(cell)?.[1]);

  test('are those of the program', async () => {
    for (const effect of effects) expect(parseFault(`* * ${effect}`).text).toContain(effect);
    const { stdout } = await createWorld().run('sandbox start --help');
    const [, grammar = ''] = stdout.split(/\nFaults:|\nExit codes:/);
    const terms = [...grammar.matchAll(/^ {2}(\S+(?: \S+)*) {2}/gm)].map(([, term]) => term);
    expect(terms).toEqual(['METHOD', 'PATH', ...effects, 'SMTP RCPT 451', 'xN']);
  });

  test.each([...page.matchAll(/--fault "([^"]+)"/g)].map(([, fault = '']) => fault))(
    'can be set as on the page: %s',
    (fault) => {
      expect(parseFault(fault).text).toBe(fault);
    },
  );
});

/** Without the progress that curl shows on stderr. */
const quietly = 'exec 2>/dev/null\n';

test('the lines for the control endpoint work', async () => {
  const machine = machineWithFiles();
  const flags = '--empty --seed -';
  const { url, env } = await serveIn(createWorld(), flags, { stdin: file('seeds.json') });
  const lines = file('control').replaceAll('http://127.0.0.1:4100', url).trim().split('\n');
  const message = '--to ana@example.org --from a@shop.test --subject Hi --text Hi';
  await machine.run(`mailer email send ${message}`, { env });
  const replies: unknown[] = [];
  for (const line of lines) {
    const { exitCode, log } = await machine.run(`${quietly}${line}`);
    expect({ line, exitCode, log }).toMatchObject({ exitCode: 0 });
    replies.push(JSON.parse(log));
  }
  expect(replies).toMatchObject([
    { faults: [], rateLimit: { perSecond: null } },
    { faults: [{ fault: 'POST /v1/emails 503 x2' }] },
    { faults: [] },
    { rateLimit: { perSecond: 2 } },
    { language: 'pt' },
    { records: expect.arrayContaining([expect.objectContaining({ name: '_dmarc.shop.test' })]) },
    { records: expect.not.arrayContaining([expect.objectContaining({ type: 'MX' })]) },
    { records: expect.arrayContaining([expect.objectContaining({ type: 'MX' })]) },
    { now: expect.any(String) },
    { faults: [], rateLimit: { perSecond: null }, language: 'en' },
  ]);
  const { log } = await machine.run('mailer email list --quiet', { env });
  expect(log.trim().split('\n').toSorted()).toEqual(['email_1', 'email_2']);
});

test('the lines about tests in parallel work', async () => {
  const { url } = await serveIn(createWorld());
  const block = file('parallel').replaceAll('http://127.0.0.1:4100', url);
  const { exitCode, log } = await createMachine().run(`${quietly}set -e\n${block}`);
  expect(exitCode).toBe(0);
  const replies = log
    .trim()
    .replaceAll('}{', '}\n{')
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(replies).toMatchObject([
    { count: 2 },
    { faults: [{ fault: 'POST /v1/emails 503 x2' }] },
    { now: expect.any(String) },
    { faults: [] },
  ]);
});

/** Ends the servers that this machine's scripts start, with the test or when called. */
function endServers(machine: Machine): () => void {
  const ids = join(machine.home, 'ids');
  writeFileSync(ids, '');
  const note = `case "$1 $2" in "sandbox start") echo $$ >>"${ids}" ;; esac`;
  machine.addProgram('mailer', `#!/bin/sh\n${note}\nexec "${machine.program}" "$@"\n`);
  const end = () => {
    const started = readFileSync(ids, 'utf8').split('\n').filter(Boolean);
    writeFileSync(ids, '');
    for (const id of started) process.kill(Number(id));
  };
  onTestFinished(end);
  return end;
}
