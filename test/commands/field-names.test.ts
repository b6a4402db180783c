import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { commandNamed } from '../../src/cli/command-names.ts';
import { connected } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';
import { createMachine, type Machine } from '../support/sample-machine.ts';
import { samples } from '../support/samples.ts';

const news =
  'campaign create --name News --from hello@example.com --subject News --book book_customers --html {{usesend_unsubscribe_url}} --sandbox';

/** Commands that print text to paste or read, without fields. */
const textOnly = /^(api|completion|config get|config path|sandbox (start|export|open|path))$/;

/** The columns of lists, by command and case. */
const columns: Record<string, string[]> = {};

describe('a name that a pipe shows is one that --fields takes', () => {
  test.each(samples.filter(({ command }) => !textOnly.test(command)))(
    '$command $case $exitCode',
    async (sample) => {
      const { command } = (await commandNamed(sample.command.split(' '))?.load()) ?? {};
      const { line, schema } = command?.prints[sample.case] ?? {};
      const hasLine = Boolean(line) && command?.takes?.includes('lists') === true;
      const isList = hasLine || (await schema?.()) instanceof z.ZodArray;
      const sampled = runsOf(sample, Object.keys(command?.effects ?? {}));
      const piped = await sampled('');
      const names = isList ? namesOfRows(piped.stdout) : namesOfLines(piped.stdout);
      if (names.length === 0) return;
      if (isList)
        columns[[sample.command, command?.prints[sample.case]?.when].filter(Boolean).join(' ')] ??=
          names;
      const chosen = await sampled(`--fields ${names}`);
      expect(chosen).toMatchObject({ exitCode: sample.exitCode });
      expect(chosen.stderr).not.toContain('no field');
      expect(isList ? namesOfRows(chosen.stdout) : namesOfLines(chosen.stdout)).toEqual(names);
      const json = await sampled(`${hasLine ? '--jsonl' : '--json'} --fields ${names}`);
      expect(json.exitCode).toBe(sample.exitCode);
      const [row = ''] = json.stdout.split('\n');
      const [first] = [JSON.parse(row)].flat();
      expect(Object.keys(first)).toEqual([...new Set(names.map(firstPart))]);
    },
  );

  test('the columns of lists are written down, so that a review sees each change', async () => {
    const lines = Object.entries(columns).map(([name, names]) => `${name}: ${names.join(', ')}`);
    expect(lines.length).toBeGreaterThan(20);
    await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('../columns.txt');
  });
});

type Sample = (typeof samples)[number];

/** Runs a sample with flags: on the same machine if it only reads from the sandbox, or else each time on a new one. */
function runsOf({ line, stdin }: Sample, effects: readonly string[]) {
  const onlyReads = effects.every((effect) => effect === 'reads');
  let kept: { readonly machine: Machine; readonly words: string } | undefined;
  return async (flags: string) => {
    const { machine, words } = kept ?? (await prepared(line));
    if (onlyReads && words.includes('--sandbox')) kept = { machine, words };
    return await machine.run(`${words} ${flags}`.trim(), stdin === undefined ? {} : { stdin });
  };
}

async function prepared(line: Sample['line']) {
  const machine = await createMachine();
  return { machine, words: await line(machine) };
}

function namesOfRows(stdout: string): string[] {
  const [header = ''] = stdout.split('\n');
  // An export is CSV in a pipe too.
  return header === '' ? [] : header.trimEnd().split(/[\t,]/);
}

/** The names in a record, which may have tables below it. A result without names has ids only. */
function namesOfLines(stdout: string): string[] {
  const [lines = '', ...tables] = stdout.replace(/\n+$/, '').split('\n\n');
  const named = lines.split('\n').filter((line) => line.includes('\t'));
  return [
    ...named.map((line) => line.slice(0, line.indexOf('\t'))),
    ...tables.flatMap((table) => namesOfRows(table)),
  ];
}

function firstPart(name: string): string {
  return name.split('.', 1)[0] ?? name;
}

describe('the titles of columns', () => {
  test.each([
    ['email list', 'id,status,to,subject,created'],
    ['email get email_receipt', 'id,status,from,to,subject,created'],
    ['domain list', 'id,name,status,region,created'],
    ['reputation events', 'when,from,to,bounceRate,sample,actor,reason'],
    ['campaign get News', 'id,name,status,contacts,created'],
    ['domain get example.com', 'dkim,spf,dmarc,clickTracking,created,updated'],
    ['sandbox status', 'directory,size,served'],
    ['whoami', 'profile,baseUrl,key,reachable,problem'],
  ])('are names too: %s --fields %s', async (line, fields) => {
    const flag = line.startsWith('sandbox') ? '' : '--sandbox';
    const world = createWorld();
    await world.run(news);
    const { exitCode, stdout, stderr } = await world.run(
      `${line} ${flag} --fields ${fields}`.split(/ +/),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    const names = line.includes('list') || line.includes('events') ? lines[0]?.split('\t') : lines;
    expect(names?.map((one) => one.split('\t')[0])).toEqual(fields.split(','));
  });
});

describe('an unknown field', () => {
  test('of a response is an error that suggests and lists, before anything is shown', async () => {
    const outcome = await createWorld().run('email list --sandbox --fields id,statsu,nope');
    expect(outcome).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: [
        'Error: --fields: there is no field statsu, nope',
        'Hint: Did you mean status? Fields: id, to, from, subject, html, text, createdAt, updatedAt, scheduledAt, domainId, replyTo, cc, bcc, latestStatus, lastEvent, lastEventAt, reason, bounceType, bounceSubType, diagnostic, complaint, affected',
        '',
      ].join('\n'),
    });
  });

  test.each(['dnsRecords.prio', 'dnsRecords.0.prio', 'name.first'])(
    'in depth: %s',
    async (name) => {
      const { exitCode, stdout } = await createWorld().run(
        `domain get example.com --sandbox --fields ${name}`,
      );
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    },
  );

  test('of a command that sends is an error before anything is sent', async () => {
    const { run, service } = await connected();
    const outcome = await run(
      'email send --to a@example.org --from b@example.com --subject Hi --text Hi --fields emailld',
    );
    expect(outcome).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'Error: --fields: there is no field emailld\nHint: Did you mean emailId? Fields: emailId\n',
    });
    expect(service.requests).toEqual([]);
  });

  test('of a list without rows is a warning: the service may have it', async () => {
    const { run } = await connected({ body: { data: [], count: 0 } });
    const { exitCode, stderr } = await run('email list --fields id,priority');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: --fields: there is no field priority.\n');
  });

  test('of what `api` has written is a warning: the request was carried out', async () => {
    const { run } = await connected({ body: { emailId: 'em_1' } });
    const outcome = await run('api POST /v1/emails -f to=a@example.org --fields emailId,nope');
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'emailId\tem_1\nnope\t\n' });
    expect(outcome.stderr).toContain('Warning: --fields: there is no field nope.\n');
  });
});

describe('values alone', () => {
  test.each([
    ['domain list --sandbox -q --fields name', 'example.net\nexample.org\nexample.com\n'],
    [
      'domain list --sandbox -q --fields id,name',
      '3\texample.net\n2\texample.org\n1\texample.com\n',
    ],
    ['domain get example.com --sandbox -q --fields id,status', '1\nSUCCESS\n'],
    ['sandbox path -q --fields path', undefined],
    ['domain list --sandbox --no-header --fields name', 'example.net\nexample.org\nexample.com\n'],
    ['domain list --sandbox --no-header --csv --fields id', '3\r\n2\r\n1\r\n'],
  ])('%s', async (line, values) => {
    const world = createWorld();
    const { exitCode, stdout, stderr } = await world.run(line);
    const { stdout: path } = await world.run('sandbox path');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: values ?? path,
      stderr: '',
    });
  });

  test('--no-header leaves out the titles of a table, too', async () => {
    const line = 'domain list --sandbox --no-color --fields name';
    const options = { terminal: 80 };
    expect((await createWorld().run(line, options)).stdout).toMatch(/^NAME\nexample\.net\n/);
    const { stdout } = await createWorld().run(`${line} --no-header`, options);
    expect(stdout).toMatch(/^example\.net\n/);
  });

  test('JSON has no header to leave out', async () => {
    const { exitCode, stderr } = await createWorld().run(
      'domain list --sandbox --jsonl --no-header',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--no-header and --jsonl cannot be used together');
  });
});
