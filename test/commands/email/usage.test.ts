import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

describe('a misspelling gets a suggestion', () => {
  test.each([
    ['emial send', '--help', 'email'],
    ['email snd', '', 'send'],
    ['email lst', '', 'list'],
    ['email reschedul em_1', '', 'reschedule'],
    ['email send --subjct x', '', '--subject'],
    ['email send --tex x', '', '--text'],
    ['email list --limt 3', '', '--limit'],
    ['email get em_1 --jsno', '', '--json'],
    ['email get em_1 --wiat', '', '--wait'],
  ])('%s', async (line, _, suggestion) => {
    const { run, service } = await connected();
    const { exitCode, stdout, stderr } = await run(line);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Error: (unknown command|email (send|list|get) has no) /);
    expect(stderr).toMatch(new RegExp(`^Hint: .*${suggestion}\\b`, 'm'));
    expect(service.requests).toEqual([]);
  });

  test('without a near match, the error names the help page', async () => {
    const { run } = await connected();
    expect((await run('email send --zzzzzzz')).stderr).toMatch(
      /^Hint: .*mailer email send --help$/m,
    );
  });
});

describe('a key among the words is not shown', () => {
  test.for<[line: string, code?: number]>([
    ['login --with-token us_0123456789_SECRET'],
    ['us_id_SECRET'],
    ['login msk_id_SECRET'],
    ['email us_id_SECRET'],
    ['email list --us_id_SECRET'],
    ['domain list key=us_id_SECRET'],
    ['profile use us_id_SECRET', 4],
    ['domain list --profile us_id_SECRET', 4],
    ['config get us_id_SECRET', 4],
    ['run get us_id_SECRET', 4],
  ])('%s', async ([line, code = 2]) => {
    const { run } = await connected();
    const hint = /Give it on stdin: printf %s "\$KEY" \| mailer login --with-token/;
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).not.toContain('SECRET');
    expect(stderr).toMatch(hint);
    const json = await run(`${line} --json`);
    expect(json.stderr).not.toContain('SECRET');
    expect(errorOf(json).hint).toMatch(hint);
  });
});

describe('a value of a flag that needs an equals sign', () => {
  test.each([
    ['email send --from a@b.example --to c@d.example --subject S --text T --wait OPENED'],
    ['email get em_1 --wait OPENED'],
    ['email get --wait OPENED'],
    ['email get --wait OPENED em_1'],
    ['email get em_1 --json --wait opened', '--wait=opened'],
    ['email get em_1 --wait SOON', '--wait=SOON'],
    ['run resume news --wait OPENED'],
    ['email batch --again 2', '--again=2'],
    ['email batch --again 2 people.csv --wait', '--again=2'],
    ['email batch --wait people.csv --again 2', '--again=2'],
  ])('%s', async (line, wanted = '--wait=OPENED') => {
    const { run, service, file } = await connected();
    file('people.csv', 'to\nc@d.example\n');
    const outcome = await run(`${line} --json`.replace('--json --json', '--json'));
    expect(outcome.exitCode).toBe(2);
    const [flag = '', value = ''] = wanted.split('=');
    expect(errorOf(outcome)).toMatchObject({
      message: `${flag} ${value}: a value of ${flag} needs an equals sign`,
      hint: `Write ${wanted}`,
    });
    expect(service.requests).toEqual([]);
  });

  test('another argument may follow the flag, as may any after --', async () => {
    const emailEvents = [{ status: 'DELIVERED', createdAt: '2026-01-15T10:00:00Z' }];
    const email = { id: 'em_1', to: ['c@d.example'], emailEvents };
    const { run, service } = await connected({ body: email }, { body: email });
    await run('email get --wait em_1');
    await run('email get --wait -- OPENED');
    const paths = service.requests.map(({ path }) => path);
    expect(paths).toContain('/api/v1/emails/em_1');
    expect(paths).toContain('/api/v1/emails/OPENED');
  });
});

describe('with --json, a usage error is one object on stderr', () => {
  test.each([
    'emial send --json',
    'email snd --json',
    'email send --json',
    'email send --subjct x --json',
    '--json email send --to nope --from a@b.example --subject S --text T',
    'email send --json --text a --text b',
    'email list --json --limit 10abc',
    'email list --json --csv',
    'email list --jsonl --limit 0',
    'email get --json',
    'email get a/b --json',
    'email get em_1 --json --timeout',
    'email cancel --json ..',
    'email batch --json none.json',
    'email reschedule em_1 --json',
    'email get em_1 --json --base-url nonsense',
    'email get em_1 --json --sandbox --profile x',
  ])('%s', async (line) => {
    const { run, service } = await connected();
    const outcome = await run(line);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr.trimEnd()).not.toContain('\n');
    const { code, message } = errorOf(outcome);
    expect(code).toBe('usage');
    expect(message).not.toBe('');
    expect(service.requests).toEqual([]);
  });
});

test('without --json it is text: Error, then Hint', async () => {
  const { run } = await connected();
  const { stdout, stderr } = await run('email send');
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Error: [^\n]+\nHint: [^\n]+\n$/);
});

test('only a missing text has a hint about other kinds of text', async () => {
  const { run } = await connected();
  const { stderr } = await run('email send --from a@b.c --subject Hi --text Hello');
  expect(stderr).toBe('Error: Missing --to\n');
});

test('a value that looks like --json after -- does not make errors JSON', async () => {
  const { run } = await connected();
  expect((await run(['email', 'get', '--', '--json', 'x'])).stderr).toMatch(/^Error: /);
});

test.each(['mailer', 'email'])('%s alone prints help and is 0', async (word) => {
  const { run } = await connected();
  const { exitCode, stdout, stderr } = await run(word === 'mailer' ? '' : word);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('Usage: mailer');
});

test('without a key it is 3, and the error has how to log in', async () => {
  const { service } = await connected();
  const world = createWorld({ MAILER_BASE_URL: service.baseUrl });
  const outcome = await world.run('email get em_1 --json');
  expect(outcome.exitCode).toBe(3);
  expect(errorOf(outcome)).toMatchObject({
    code: 'auth',
    hint: expect.stringContaining('mailer login'),
  });
  expect(service.requests).toEqual([]);
});
