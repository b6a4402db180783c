import { describe, expect, test } from 'vitest';
import { operations } from '../../../../src/api/operations.ts';
import { atTerminal } from '../../../support/at-terminal.ts';
import { changingLines, prepared } from '../../../support/changing-lines.ts';
import { connected, errorOf, fileIn } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';
import { configOf, worldWith } from '../../../support/stored-profiles.ts';

const off = { MAILER_DELETES: 'off' };
const ask = { MAILER_DELETES: 'ask' };
const readOnly = { MAILER_READ_ONLY: 'on' };

/** Every request that does more than read, as `api` sends it, and some that the contract does not have. */
const requests = [
  ...Object.values(operations)
    .filter(({ effect }) => effect !== 'reads')
    .map(({ method, path, effect }) => ({ method, path: path.replace(/\{\w+\}/g, 'x1'), effect })),
  { method: 'DELETE', path: '/v1/templates/x1', effect: 'deletes' },
  { method: 'PUT', path: '/v1/other', effect: 'changes' },
] as const;
const deletes = requests.filter(({ effect }) => effect === 'deletes');

const refusal = (rule: string, place: string) => ({
  code: 'policy',
  rule,
  message: expect.stringContaining(`${rule} in ${place} `),
  hint: `Nothing was ${rule === 'deletes' ? 'deleted' : 'sent'}. To see all rules: mailer policy show`,
});

describe('read-only', () => {
  test.each(requests)('stops $method $path', async ({ method, path }) => {
    const { run, service } = await connected();
    const words = ['api', method, path, '--input', '-', '--yes', '--json'];
    const outcome = await run(words, { env: readOnly, stdin: '{}' });
    expect({ exitCode: outcome.exitCode, requests: service.requests }).toEqual({
      exitCode: 2,
      requests: [],
    });
    expect(errorOf(outcome)).toMatchObject(refusal('read-only', 'MAILER_READ_ONLY'));
  });

  // As some frameworks of servers allow: a GET that deletes.
  test.each([
    ['GET', '/v1/domains/1?_method=DELETE'],
    ['GET', '/v1/domains/1?a=b&%5Fmethod=delete'],
    ['GET', '/v1/domains?X-HTTP-Method-Override=POST'],
    ['POST', '/v1/templates/render?_method=DELETE'],
  ])('and deletes stop %s %s, whose query names another method', async (method, path) => {
    const { run, service } = await connected();
    for (const env of [readOnly, off]) {
      const outcome = await run(['api', method, path, '--yes', '--json'], { env });
      expect(errorOf(outcome)).toMatchObject({ code: 'policy' });
    }
    expect(service.requests).toEqual([]);
  });

  test.each([
    'domain verify example.com',
    'domain add new.example --region us-east-1',
    'contact book create --name New --double-opt-in off',
    'contact book delete Customers --yes',
    'campaign delete campaign_1 --yes',
    'email cancel email_welcome --yes',
    'contact update opened+ben@example.com --book Customers --first-name A',
  ])('stops %s, and reading goes on', async (line) => {
    const world = createWorld();
    const stopped = await world.run(`${line} --sandbox --json`, { env: readOnly });
    expect(stopped.exitCode).toBe(2);
    expect(errorOf(stopped)).toMatchObject({ rule: 'read-only', code: 'policy' });
    expect(await world.run('domain list --sandbox', { env: readOnly })).toMatchObject({
      exitCode: 0,
    });
    expect(await world.run('policy show', { env: readOnly })).toMatchObject({
      stdout: expect.stringContaining('read-only\ton\tMAILER_READ_ONLY'),
    });
  });

  test('allows what only this machine keeps', async () => {
    const world = createWorld();
    expect(await world.run('config set output json', { env: readOnly })).toMatchObject({
      exitCode: 0,
    });
  });

  test('stops an email to anybody, also for policy check', async () => {
    const outcome = await createWorld().run('policy check ana@example.org', { env: readOnly });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('read-only') });
  });
});

describe('deletes', () => {
  test.each(deletes)('off stops DELETE $path, whatever the flags', async ({ path }) => {
    const { run, service } = await connected();
    const outcome = await run(['api', 'DELETE', path, '--yes', '--json'], { env: off });
    expect({ exitCode: outcome.exitCode, requests: service.requests }).toEqual({
      exitCode: 2,
      requests: [],
    });
    expect(errorOf(outcome)).toMatchObject(refusal('deletes', 'MAILER_DELETES'));
  });

  test.each(deletes)(
    'ask stops DELETE $path without a terminal, whatever the flags',
    async ({ path }) => {
      const { run, service } = await connected();
      const outcome = await run(['api', 'DELETE', path, '--yes', '--json'], { env: ask });
      expect({ exitCode: outcome.exitCode, requests: service.requests }).toEqual({
        exitCode: 2,
        requests: [],
      });
      expect(errorOf(outcome).message).toContain('lets only a person at a terminal delete');
    },
  );

  const line = 'contact book delete Customers --sandbox';
  const books = async (world: ReturnType<typeof createWorld>) =>
    (await world.run('contact book list --sandbox --fields name --no-header')).stdout;

  test('ask asks a person at a terminal in spite of --yes, once', async () => {
    const world = createWorld();
    const seen = await atTerminal(world.run, `${line} --yes`, [[/asked because/, 'y\r']], {
      env: ask,
    });
    expect(seen.exitCode).toBe(0);
    expect(await books(world)).not.toContain('Customers');
  });

  test.each([
    'contact book delete Customers',
    'domain delete example.com',
    'contact delete opened+ben@example.com --book Customers',
    'segment delete Pro',
    'campaign delete c1',
  ])('off says no to %s before it asks for --yes', async (words) => {
    const { exitCode, stderr } = await createWorld().run(`${words} --sandbox`, { env: off });
    expect({ exitCode, hasFlag: stderr.includes('add --yes') }).toEqual({
      exitCode: 2,
      hasFlag: false,
    });
    expect(stderr).toContain('deletes in MAILER_DELETES is off, so nothing is deleted.');
  });

  test('ask takes a no, and Ctrl-D', async () => {
    const world = createWorld();
    const seen = await atTerminal(world.run, `${line} --yes`, [[/asked because/, 'n\r']], {
      env: ask,
    });
    expect(seen.exitCode).toBe(2);
    expect(await books(world)).toContain('Customers');
  });

  test('ask is content with the question of the command', async () => {
    const world = createWorld();
    const seen = await atTerminal(world.run, line, [[/Delete/, 'y\r']], { env: ask });
    expect(seen.exitCode).toBe(0);
    expect(await books(world)).not.toContain('Customers');
  });

  test('ask does not count --no-input', async () => {
    const world = createWorld();
    const seen = await atTerminal(world.run, `${line} --yes --no-input`, [], { env: ask });
    expect(seen.exitCode).toBe(2);
    expect(await books(world)).toContain('Customers');
  });

  test('in several places count as the strictest', async () => {
    const world = createWorld();
    await world.run('policy set --deletes off');
    const show = await world.run('policy show --jq .effective.deletes', {
      env: { MAILER_DELETES: 'on' },
    });
    expect(show.stdout.trim()).toMatch(/^"?off"?$/);
    expect(await world.run(`${line} --yes`, { env: { MAILER_DELETES: 'ask' } })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('deletes in profile default is off'),
    });
  });

  test('do not keep anybody from changing', async () => {
    const world = createWorld();
    const outcome = await world.run(
      'contact book create --name New --double-opt-in off --sandbox',
      { env: off },
    );
    expect(outcome).toMatchObject({ exitCode: 0 });
  });
});

describe('a request that looks like one that stops', () => {
  test.each([
    '/v1/emails/batch?x=/cancel',
    '/v1/emails/batch#/cancel',
    '/v1/campaigns/abc%2Fresume?x=/pause',
    '/v1/campaigns/abc%2Fschedule/pause',
    '/v1/emails/..%2F..%2Femails/cancel',
  ])('passes the rules like any other: %s', async (path) => {
    const body = { to: 'ana@example.org', from: 'a@example.com', subject: 's', text: 't' };
    const { run, requests } = await connected();
    const env = { MAILER_ALLOW_TO: '*@example.com', MAILER_CAMPAIGNS: 'off' };
    const words = ['api', 'POST', path, '--input', '-', '--yes', '--retries', '0'];
    expect(await run(words, { env, stdin: JSON.stringify([body]) })).toMatchObject({ exitCode: 2 });
    expect(requests()).toEqual([]);
  });
});

describe('a command that deletes at its end', () => {
  test('changes nothing if deleting is off: contact sync', async () => {
    const world = createWorld();
    fileIn(world, 'people.csv', 'email\nnew@example.org\n');
    const line =
      'contact sync people.csv --book Customers --delete-missing --max-missing 100% --yes';
    for (const more of ['', ' --dry-run']) {
      const outcome = await world.run(`${line} --sandbox${more}`, { env: off });
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('deletes in') });
    }
    const { stdout } = await world.run('contact list --book Customers --sandbox --fields email');
    expect(stdout).not.toContain('new@example.org');
  });

  test('pauses nothing if deleting is off: campaign replace', async () => {
    const world = createWorld();
    const { stdout } = await world.run([
      ...'campaign create --name N --from hello@example.com --subject S --book Customers'.split(
        ' ',
      ),
      ...['--html', '<a href="{{unsend_unsubscribe_url}}">x</a>', '--scheduled-at', 'tomorrow'],
      ...['--yes', '--sandbox'],
    ]);
    const id = stdout.trim();
    const replaced = await world.run(`campaign replace ${id} --subject T --yes --sandbox`, {
      env: off,
    });
    expect(replaced).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('deletes in') });
    expect((await world.run(`campaign get ${id} --sandbox --jq .status`)).stdout).toContain(
      'SCHEDULED',
    );
  });
});

/** Other commands that change something, whose dry run is no plan, or that delete at their end. */
const otherLines: readonly (readonly [name: string, line: string, deletes: boolean])[] = [
  [
    'contact sync',
    'contact sync people.csv --book book_customers --delete-missing --max-missing 100%',
    true,
  ],
  ['campaign replace', 'campaign replace SCHEDULED --subject T', true],
  ['template push', 'template push templates', false],
];

const everyLine = [
  ...Object.entries(changingLines).map(
    ([name, [line, effect]]) => [name, line, effect.startsWith('deletes')] as const,
  ),
  ...otherLines,
];

describe.each(everyLine)('%s', (_, line, isDeleting) => {
  const rules = [
    ['read-only', readOnly],
    ...(isDeleting
      ? ([
          ['deletes', off],
          ['deletes', ask],
        ] as const)
      : []),
  ] as const;
  test.each(rules)('lets nothing through with %s: %j', async (rule, env) => {
    const { world, filled } = await prepared();
    fileIn(world, 'templates/t.html', '---\nname: T\nsubject: S\n---\n<p>Hello</p>');
    const entries = async () => {
      const { stdout } = await world.run('log list --sandbox --json');
      return JSON.parse(stdout).map(({ requests }: { requests: number }) => requests);
    };
    const before = await entries();
    const outcome = await world.run(`${filled(line)} --yes --sandbox --json`, { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({ code: 'policy', rule });
    const after = await entries();
    expect(after.slice(0, after.length - before.length).every((left: number) => left === 0)).toBe(
      true,
    );
  });
});

/** A path in spellings that lenient servers, or proxies before them, read like the usual one. */
function spellings(path: string): readonly string[] {
  const last = path.lastIndexOf('/');
  return [
    `${path}/`,
    `${path}?x=1`,
    `${path}?_method=GET`,
    `${path}//`,
    path.toUpperCase().replace('/V1', '/v1'),
    path.replace('/v1/', '/v1//'),
    path.replace('/v1/', '/V1/'),
    path.replace('/v1/', '/v1%2F'),
    path.replace('/v1/', '/v1/./'),
    path.replace('/v1/', '/v1/x/../'),
    path.replace('/v1/', '/v1/x/%2e%2e/'),
    path.replace('/v1/', '/v1/x%2F..%2F'),
    path.replace('/v1/', '//v1/'),
    `${path.slice(0, last)}%2F${path.slice(last + 1)}`,
    `${path.slice(0, last)}%252F${path.slice(last + 1)}`,
    `${path.slice(0, last)};x${path.slice(last)}`,
    `${path.slice(0, last)}\\${path.slice(last + 1)}`,
    `${path}%3Fx`,
    `${path}%00`,
  ];
}

describe('odd spellings', () => {
  test.each(requests)('of $method $path pass no rule', async ({ method, path, effect }) => {
    const rules = effect === 'deletes' ? [readOnly, off, ask] : [readOnly];
    for (const env of rules) {
      for (const verb of [method, method.toLowerCase()]) {
        for (const spelling of spellings(path)) {
          const { run, requests } = await connected();
          const words = ['api', verb, spelling, '--input', '-', '--yes', '--retries', '0'];
          const { exitCode } = await run(words, { env, stdin: '{}' });
          expect({ verb, spelling, exitCode, requests: requests() }).toEqual({
            ...{ verb, spelling, exitCode: 2, requests: [] },
          });
        }
      }
    }
  });

  test.each(['HEAD', 'OPTIONS', 'options', 'PURGE', 'X-HTTP-Method-Override'])(
    '%s is no method',
    async (method) => {
      const { run, requests } = await connected();
      const { exitCode } = await run(['api', method, '/v1/domains/1', '--yes'], { env: off });
      expect({ exitCode, requests: requests() }).toEqual({ exitCode: 2, requests: [] });
    },
  );

  test.each([
    '/v1/segments/x1%2Fmaterialize%3F/preview',
    '/v1/segments/..%2Femails%3F/preview',
    '/v1/segments/x1;/preview',
    '/v1/segments/x1%00/preview',
  ])('of a POST that reads may do more, so that read-only stops it: %s', async (path) => {
    const { run, requests } = await connected();
    const words = ['api', 'POST', path, '--input', '-', '--retries', '0'];
    const { exitCode } = await run(words, { env: readOnly, stdin: '{}' });
    expect({ exitCode, requests: requests() }).toEqual({ exitCode: 2, requests: [] });
  });

  test('of nothing: a POST that only reads passes', async () => {
    const { run, requests } = await connected({ body: { count: 1 } });
    await run('api POST /v1/segments/seg_1/preview', { env: readOnly });
    expect(requests()).toEqual(['POST /api/v1/segments/seg_1/preview']);
  });

  test('a POST that is not in the contract may delete: with deletes off, it is an error', async () => {
    const { run, requests } = await connected();
    const words = 'api POST /v1/contacts/bulk-delete --input - --yes --retries 0';
    for (const env of [off, ask]) {
      expect((await run(words, { env, stdin: '{}' })).exitCode).toBe(2);
    }
    expect(requests()).toEqual([]);
  });
});

describe('a rule that is not known', () => {
  test.each([
    'campaign delete c1 --yes',
    'email cancel email_1',
    'email send --to a@example.org --from a@example.com --subject s --text t',
  ])('in a project file is an error: %s', async (line) => {
    const { world, run, requests } = await connected();
    fileIn(world, '.mailer.json', { policy: { delets: 'off' } });
    const outcome = await run(`${line} --retries 0`);
    if (line.startsWith('email cancel')) return expect(requests()).toHaveLength(1);
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('delets') });
    expect(requests()).toEqual([]);
  });

  test('in a profile is an error, too', async () => {
    const policy = { delets: 'off' } as unknown as { deletes: 'off' };
    const world = await worldWith({ work: { policy } }, 'work');
    const outcome = await world.run('domain delete 3 --yes --sandbox');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('delets') });
  });
});

describe('damaged rules', () => {
  test('stop what deletes, and let a campaign be paused', async () => {
    const { run, requests } = await connected();
    const env = { MAILER_DELETES: 'perhaps' };
    expect(await run('api DELETE /v1/domains/1 --yes', { env })).toMatchObject({ exitCode: 2 });
    expect(requests()).toEqual([]);
    await run('api POST /v1/campaigns/c1/pause --yes --retries 0', { env });
    expect(requests()).toEqual(['POST /api/v1/campaigns/c1/pause']);
  });
});

test('the question about deleting a profile names the rules that go with it', async () => {
  const world = createWorld();
  await world.run('policy set --deletes off --max-per-day 5');
  const lines =
    'This also removes the policy of profile default:\n  max-per-day: 5 → no rule\n  deletes: off → no rule';
  const asked = await atTerminal(world.run, 'profile delete default', [[/Delete profile/, 'n\r']]);
  expect(asked.text).toContain(lines);
  const { exitCode, stderr } = await world.run('profile delete default --yes');
  expect({ exitCode, said: stderr.includes(lines) }).toEqual({ exitCode: 0, said: true });
});

describe('a change that allows more', () => {
  const rules =
    'policy set --allow-to *@example.com --deny-to a@b.example,c@d.example --max-per-day 5 --campaigns off --deletes off --read-only on';

  test.each([
    ['set --allow-to *@*', 'allow-to: with *@*, without *@example.com'],
    ['set --add --allow-to x@other.example', 'allow-to: with x@other.example'],
    ['set --deny-to a@b.example', 'deny-to: without c@d.example'],
    ['set --max-per-day 6', 'max-per-day: 5 → 6'],
    ['set --campaigns on', 'campaigns: off → on'],
    ['set --deletes ask', 'deletes: off → ask'],
    ['set --read-only off', 'read-only: on → off'],
    ['unset campaigns', 'campaigns: off → no rule'],
    ['unset read-only', 'read-only: on → no rule'],
  ])('policy %s asks first: %s', async (change, shown) => {
    const world = createWorld();
    await world.run(rules.split(' '));
    const before = (await world.run('policy show')).stdout;
    const words = ['policy', ...change.split(' ')];
    expect(await world.run(words)).toMatchObject({ exitCode: 2 });
    expect((await world.run('policy show')).stdout).toBe(before);
    const seen = await atTerminal(world.run, words, [[/Change the policy/, 'n\r']]);
    expect(seen.exitCode).toBe(2);
    expect(seen.text).toContain(shown);
    const done = await world.run([...words, '--yes']);
    expect(done.exitCode).toBe(0);
    expect(done.stderr).toContain(`This makes the policy of profile default looser:\n  ${shown}\n`);
    expect((await world.run('policy show')).stdout).not.toBe(before);
  });

  test.each([
    'set --allow-to ana@example.com',
    'set --add --deny-to e@f.example',
    'set --max-per-day 4',
    'set --max-recipients 1',
    'set --deny-to *@b.example,*@d.example',
  ])('is not what tightens: policy %s', async (change) => {
    const world = createWorld();
    await world.run(rules.split(' '));
    expect(await world.run(['policy', ...change.split(' ')])).toMatchObject({ exitCode: 0 });
  });
});

describe('another current profile', () => {
  const strict = { policy: { deletes: 'off', maxPerDay: 5 } } as const;

  test.each([
    ['no policy', {}, ['max-per-day: 5 → no rule', 'deletes: off → no rule']],
    ['a looser one', { policy: { deletes: 'ask', maxPerDay: 5 } }, ['deletes: off → ask']],
  ] as const)('with %s asks first, and shows both', async (_, loose, lines) => {
    const world = await worldWith({ strict, loose }, 'strict');
    const current = async () => (await configOf(world).read()).currentProfile;
    const heading = 'The policy of profile loose is looser than that of strict:';
    const refused = await world.run('profile use loose');
    expect(refused.exitCode).toBe(2);
    for (const line of [heading, ...lines, 'To confirm, add --yes.'])
      expect(refused.stderr).toContain(line);
    const seen = await atTerminal(world.run, 'profile use loose', [[/Use profile loose/, 'n\r']]);
    expect(seen.exitCode).toBe(2);
    for (const line of [heading, ...lines]) expect(seen.text).toContain(line);
    expect(await current()).toBe('strict');
    const done = await world.run('profile use loose --yes');
    expect(done.exitCode).toBe(0);
    expect(done.stderr).toContain([heading, ...lines.map((line) => `  ${line}`), ''].join('\n'));
    expect(await current()).toBe('loose');
    expect(await world.run('profile use strict')).toEqual({
      exitCode: 0,
      stdout: 'strict\n',
      stderr: 'The current profile is strict.\n',
    });
  });

  test('after damaged rules asks, too', async () => {
    // A name that no version of the program knows.
    const policy = { deletes: 'perhaps' } as unknown as typeof strict.policy;
    const world = await worldWith({ damaged: { policy }, loose: {} }, 'damaged');
    expect((await world.run('profile use loose')).exitCode).toBe(2);
    expect((await world.run('profile use loose --yes')).stderr).toContain('  damaged rules\n');
  });
});

test('removing all rules shows them', async () => {
  const world = createWorld();
  await world.run('policy set --deletes off');
  const { exitCode, stderr } = await world.run('policy unset --all --yes');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: '  deletes: off → no rule\nRemoved all rules of profile default.\n',
  });
});

test('a profile that is renamed keeps the count of its day', async () => {
  const accepts: Answer = { body: { emailId: 'email_1' } };
  const { world, service } = await connected(accepts, accepts);
  const { MAILER_API_KEY: apiKey = '' } = world.env;
  for (const name of Object.keys(world.env)) delete world.env[name];
  await configOf(world).update((config) => ({
    ...config,
    currentProfile: 'work',
    profiles: { work: { baseUrl: service.baseUrl, apiKey, policy: { maxPerDay: 1 } } },
  }));
  const send = 'email send --from a@example.com --to b@example.org --subject s --text t';
  expect((await world.run(send)).exitCode).toBe(0);
  expect((await world.run('profile rename work office')).exitCode).toBe(0);
  expect(await world.run(send)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('max-per-day'),
  });
});
