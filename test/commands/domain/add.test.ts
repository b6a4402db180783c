import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected, errorOf } from '../../support/connected.ts';
import { enter } from '../../support/keys.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { domain } from './domains.ts';

const words = 'domain add a.example --region us-east-1';
/** The response of live servers to everything they reject. */
const failed: Answer = {
  status: 500,
  body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' } },
};
const lost: Answer = (response) => void response.destroy();
const added = domain(7, 'a.example', { region: 'us-east-1', status: 'PENDING' });

test('on the sandbox: the domain with its records, and what to do next', async () => {
  const world = createWorld();
  const { exitCode, stdout, stderr } = await world.run(
    'domain add mail.example.net --region eu-west-1 --sandbox',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^id\t\d+\nname\tmail.example.net\nstatus\tPENDING\n/);
  expect(stdout).toContain('\nTXT\t_dmarc\tv=DMARC1; p=none;\t\tAuto\tNOT_STARTED\ttrue\n');
  expect(stderr.split('\n')).toEqual([
    'Added domain mail.example.net.',
    'Publish its DNS records, then check them: mailer domain check mail.example.net --sandbox',
    'To verify it: mailer domain verify mail.example.net --wait --sandbox',
    '',
  ]);
  const listed = await world.run('domain list -q --fields name --sandbox');
  expect(listed.stdout).toContain('mail.example.net\n');
});

test('on a terminal, DMARC is shown as recommended', async () => {
  const { stdout } = await createWorld().run(
    'domain add mail.example.net --region eu-west-1 --sandbox --no-color',
    { terminal: 80 },
  );
  expect(stdout.match(/^Needed +required$/gm)).toHaveLength(3);
  expect(stdout.match(/^Needed +recommended$/gm)).toHaveLength(1);
});

test('the request, and --json and --quiet', async () => {
  const { run, requests, sent } = await connected({ body: added }, { body: added });
  const { stdout } = await run(`${words} --json`);
  expect(JSON.parse(stdout)).toEqual(added);
  expect(requests()).toEqual(['POST /api/v1/domains']);
  expect(sent()).toEqual({ name: 'a.example', region: 'us-east-1' });
  expect((await run(`${words} --quiet`)).stdout).toBe('7\n');
});

test('a name is sent in lower case and Punycode', async () => {
  const { run, sent } = await connected({ body: added });
  await run(['domain', 'add', 'Bücher.Example.', '--region', 'us-east-1']);
  expect(sent()).toEqual({ name: 'xn--bcher-kva.example', region: 'us-east-1' });
});

test('--format prints the records to be pasted, and nothing else on stdout', async () => {
  const { stdout, stderr } = await createWorld().run(
    'domain add example.dev --region us-east-1 --format zone --sandbox',
  );
  expect(stdout).toMatch(/^mail\.example\.dev\. IN MX 10 feedback-smtp\.us-east-1/);
  expect(stdout).toContain('; recommended, not required for verification\n_dmarc.example.dev.');
  expect(stderr).toContain('Added domain example.dev.\n');
});

test('--dry-run prints the request, and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run(
    `${words} --dry-run --json --base-url https://mail.example.com/api`,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: 'https://mail.example.com/api/v1/domains',
    body: { name: 'a.example', region: 'us-east-1' },
  });
});

test.each([
  [['notadomain', '--region', 'us-east-1'], '"notadomain" is not a domain name'],
  [['a b.example', '--region', 'us-east-1'], '"a b.example" is not a domain name'],
  [['-a.example', '--region', 'us-east-1', '--'], undefined],
  [['192.0.2.1', '--region', 'us-east-1'], '"192.0.2.1" is not a domain name'],
  [['a..example', '--region', 'us-east-1'], '"a..example" is not a domain name'],
  [[`${'a'.repeat(64)}.example`, '--region', 'us-east-1'], 'is not a domain name'],
  [['https://a.example', '--region', 'us-east-1'], 'is not a domain name'],
  [['a.example'], 'Missing --region'],
  [['a.example', '--region', ''], 'Missing --region'],
  [['a.example', '--region', 'us east'], '--region: "us east" is not a region'],
  [['a.example', '--region', 'us-east-1', '--format', 'bind'], '--format: "bind" is not one of'],
  [
    ['a.example', '--region', 'us-east-1', '--format', 'zone', '--json'],
    '--format zone and --json cannot be used together',
  ],
])('%j is a usage error, and nothing is sent', async (args, message) => {
  const { run, requests } = await connected();
  const { exitCode, stdout, stderr } = await run(['domain', 'add', ...args]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  if (message !== undefined) expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('the hint for a missing region has the command for the same account', async () => {
  const { stderr } = await createWorld().run('domain add a.example --sandbox');
  expect(stderr).toContain(
    'usually the region of your other domains: mailer domain list --sandbox. For example: us-east-1',
  );
});

describe('a domain that the service declines with 500', () => {
  test('is there already: 5, and named', async () => {
    const { run, requests } = await connected(failed, { body: [added] });
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 5,
      stdout: '',
      stderr:
        'Error: There is already a domain a.example (id 7).\nHint: Nothing was added. With --if-missing, this is no error. To show its DNS records: mailer domain records a.example\n',
    });
    expect(requests()).toEqual(['POST /api/v1/domains', 'GET /api/v1/domains']);
  });

  test('is there already, on the sandbox', async () => {
    const { exitCode, stderr } = await createWorld().run(
      'domain add example.com --region us-east-1 --sandbox',
    );
    expect(exitCode).toBe(5);
    expect(stderr).toContain('There is already a domain example.com (id 1).');
  });

  test('is missing: 7, and the region may be the cause', async () => {
    const { exitCode, stderr } = await createWorld().run(
      'domain add a.example --region mars-1 --sandbox',
    );
    expect(exitCode).toBe(7);
    expect(stderr).toContain('The service responded with 500');
    expect(stderr).toContain(
      'The domain is not in the list, and the service does not say why. Check the name, and that the service uses the region mars-1.',
    );
  });

  test('and a list that fails as well: the error is that of the request', async () => {
    const { run } = await connected(failed, failed, failed, failed, failed, failed);
    const { code, status, hint } = errorOf(await run(`${words} --json`));
    expect({ code, status }).toEqual({ code: 'unavailable', status: 500 });
    expect(hint).toContain('Check before you run the command again');
  });
});

describe('a lost response', () => {
  test('to a domain that was added: success, by the list', async () => {
    const { run, requests } = await connected(lost, { body: [added] });
    const { exitCode, stdout, stderr } = await run(`${words}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^id\t7\n/);
    expect(stderr).toContain('a.example was added: it is in the list of domains');
    expect(requests()).toEqual(['POST /api/v1/domains', 'GET /api/v1/domains']);
  });

  test('to one that is not in the list: 7, and it is not sent again', async () => {
    const { run, requests } = await connected(lost, { body: [] });
    const { code, hint } = errorOf(await run(`${words} --json`));
    expect(code).toBe('unavailable');
    expect(hint).toContain(
      'may still be added. Check before you run the command again: mailer domain list',
    );
    expect(requests()).toEqual(['POST /api/v1/domains', 'GET /api/v1/domains']);
  });
});

test('a service that cannot add domains: not_offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect(errorOf(await run(`${words} --json`))).toMatchObject({
    code: 'not_offered',
    message: 'This service cannot add domains.',
    hint: 'To see what it offers: mailer whoami --features',
  });
});

describe('at a terminal', () => {
  test.each([
    ['', 'eu-west-1'],
    ['us-east-1', 'us-east-1'],
  ])(
    'the region is that of the newest domain, unless another is typed: %s',
    async (typed, region) => {
      const newest = domain(2, 'b.example', { region: 'eu-west-1', status: 'SUCCESS' });
      const { run, sent } = await connected(
        { body: [newest] },
        { body: domain(3, 'c.example', { region: 'eu-west-1' }) },
      );
      const { exitCode, text } = await atTerminal(run, 'domain add c.example', [
        ['? Region (eu-west-1)', `${typed}${enter}`],
      ]);
      expect(exitCode).toBe(0);
      expect(sent(1)).toEqual({ name: 'c.example', region });
      expect(text).toContain('To verify it: mailer domain verify c.example --wait');
    },
  );

  test('an impossible region is no default: it could control the terminal', async () => {
    const { run, sent } = await connected(
      { body: [domain(2, 'b.example', { region: '\u001b[31mmars' })] },
      { body: domain(3, 'c.example', { region: 'us-east-1' }) },
    );
    const { exitCode } = await atTerminal(run, 'domain add c.example', [
      [/^\? Region$/, enter],
      ['Required', `us-east-1${enter}`],
    ]);
    expect(exitCode).toBe(0);
    expect(sent(1)).toEqual({ name: 'c.example', region: 'us-east-1' });
  });
});
