import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const refusal: Answer = {
  status: 400,
  body: { error: { code: 'BAD_REQUEST', message: 'O domínio não está verificado' } },
};
const accepted = { body: { emailId: 'em_1' } };
const domains = (...named: readonly (readonly [name: string, status: string])[]): Answer => ({
  body: named.map(([name, status], at) => ({ id: at + 1, name, status, dnsRecords: [] })),
});
const send = (from: string) => [
  ...['email', 'send', '--to', 'ana@example.org', '--from', from],
  ...['--subject', 'Hi', '--text', 'Hello'],
];

describe('a sender whose domain', () => {
  test.each([
    [
      'is not verified',
      [
        ['example.com', 'SUCCESS'],
        ['example.org', 'PENDING'],
      ],
      'The status of example.org is PENDING. To verify it: mailer domain verify example.org --wait\nVerified: example.com',
    ],
    [
      'is not verified, with other letters',
      [['Example.ORG', 'FAILED']],
      'The status of Example.ORG is FAILED. To verify it: mailer domain verify Example.ORG --wait\nNo domain is verified. To list the domains: mailer domain list',
    ],
    [
      'is not there, beside many',
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.example`, 'SUCCESS']),
      'This account has no domain example.org, or this key has no access to it.\nVerified: a.example, b.example, c.example and 2 more. To list the domains: mailer domain list',
    ],
  ] as [string, [string, string][], string][])('%s: the hint says so', async (_, list, hint) => {
    const { run, requests } = await connected(refusal, domains(...list));
    const outcome = await run([...send('Ana <a@example.org>'), '--json']);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).toMatchObject({ code: 'rejected', status: 400, hint });
    expect(requests()).toEqual(['POST /api/v1/emails', 'GET /api/v1/domains']);
  });

  test.each([
    ['is verified', domains(['example.org', 'SUCCESS'])],
    ['cannot be looked up', { status: 404, body: '' }],
  ])('%s: what the service says, and nothing else', async (_, list) => {
    const { run } = await connected(refusal, list as Answer);
    const { exitCode, stderr } = await run(send('a@example.org'));
    expect(exitCode).toBe(1);
    expect(stderr).toBe('Error: O domínio não está verificado\n');
  });

  test('is not looked up where the request is wrong in a field, or a proxy rejects it', async () => {
    const issues = [{ code: 'invalid_type', path: ['subject'], message: 'No' }];
    const wrong: Answer = { status: 400, body: { success: false, error: { issues } } };
    for (const answer of [wrong, { status: 400, body: '<html></html>' }]) {
      const { run, requests } = await connected(answer);
      expect((await run(send('a@example.org'))).exitCode).toBe(1);
      expect(requests()).toEqual(['POST /api/v1/emails']);
    }
  });

  test('has control characters in the list: they do not reach the terminal', async () => {
    const { run } = await connected(refusal, domains(['a\u001b[31m\nb', 'SUCCESS']));
    const { stderr } = await run(send('a@example.org'));
    expect(stderr).not.toContain('\u001b');
    expect(stderr.split('\n')).toHaveLength(4);
  });
});

describe('a domain that is registered with other upper and lower case', () => {
  test.each([
    ['hello@EXAMPLE.com', 'example.com', 'hello@example.com'],
    ['"Ana, B" <Hello@example.com>', 'Example.Com', '"Ana, B" <Hello@Example.Com>'],
  ])('%s is sent as registered, under the same key', async (from, name, as) => {
    const { run, service, sent, requests } = await connected(
      refusal,
      domains([name, 'SUCCESS']),
      accepted,
    );
    const { exitCode, stdout, stderr } = await run(send(from));
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'em_1\n' });
    expect(stderr).toContain(`Sent from: ${as}\n`);
    expect(requests()).toEqual([
      'POST /api/v1/emails',
      'GET /api/v1/domains',
      'POST /api/v1/emails',
    ]);
    expect(sent(2)).toEqual({ ...sent(0), from: as });
    const [first, , second] = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  test('if the outcome is unknown, the line repeats it as it was sent', async () => {
    const lost: Answer = (response) => response.destroy();
    const list = domains(['example.com', 'SUCCESS']);
    const { run } = await connected(refusal, list, lost);
    const { exitCode, stderr } = await run([...send('hello@EXAMPLE.com'), '--retries', '0']);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('--from hello@example.com --idempotency-key');
    expect(stderr).not.toContain('EXAMPLE');
  });

  test('in the sandbox, the same line under the same key sends once', async () => {
    const { run } = createWorld();
    const words = [...send('hello@EXAMPLE.com'), '--sandbox', '--idempotency-key', 'order-1'];
    const first = await run(words);
    expect(first.exitCode).toBe(0);
    const second = await run(words);
    expect({ exitCode: second.exitCode, stdout: second.stdout }).toEqual({
      exitCode: 0,
      stdout: first.stdout,
    });
  });
});

test.each([
  ['email batch', ['email', 'batch', 'people.csv', '--yes', '--subject', 'Hi', '--text', 'Hello']],
  [
    'campaign create',
    [
      ...['campaign', 'create', '--name', 'N', '--subject', 'Hi', '--book', 'book_customers'],
      ...['--html', '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>'],
    ],
  ],
])('%s has the hint, too, and sends nothing', async (_, words) => {
  const world = createWorld();
  const { run } = world;
  fileIn(world, 'people.csv', 'to\nana@example.org\nben@example.org\n');
  const rejected = async (from: string) => {
    const outcome = await run([...words, '--from', from, '--sandbox', '--json']);
    expect(outcome.exitCode).toBe(1);
    return errorOf(outcome).hint;
  };
  expect(await rejected('a@example.org')).toContain(
    'The status of example.org is PENDING. To verify it: mailer domain verify example.org --wait --sandbox\nVerified: example.com',
  );
  expect(await rejected('a@Example.com')).toContain(
    'The domain is registered as example.com. Send from: a@example.com',
  );
});

test('email batch of a template alone names the missing flags', async () => {
  const world = createWorld();
  const { run } = world;
  fileIn(world, 'people.csv', 'to\nana@example.org\nben@example.org\n');
  const line = 'email batch people.csv --from hello@example.com --template tmpl_welcome --yes';
  const outcome = await run(`${line} --sandbox --json`);
  expect(outcome.exitCode).toBe(1);
  expect(errorOf(outcome).hint).toMatch(
    /^This service requires --text or --html in addition to --template\./,
  );
});
