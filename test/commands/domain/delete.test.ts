import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { domain } from './domains.ts';

test.each([
  ['3', 'Deleted domain 3.\n'],
  ['example.net', 'Deleted domain example.net.\n'],
])('deletes %s', async (named, stderr) => {
  const world = createWorld();
  expect(await world.run(`domain delete ${named} --sandbox --yes`)).toEqual({
    exitCode: 0,
    stdout: '3\n',
    stderr,
  });
  expect((await world.run('domain list --sandbox -q')).stdout).toBe('2\n1\n');
});

test('an id is not looked up, a name is; --json is the reply unmodified', async () => {
  const reply = { id: 4, success: true, message: 'Apagado', novel: 1 };
  const { world, requests } = await connected(
    { body: reply },
    { body: [domain(4, 'a.example')] },
    { body: reply },
  );
  expect(JSON.parse((await world.run('domain delete 4 -y --json')).stdout)).toEqual(reply);
  await world.run('domain delete a.example -y');
  expect(requests()).toEqual([
    'DELETE /api/v1/domains/4',
    'GET /api/v1/domains',
    'DELETE /api/v1/domains/4',
  ]);
});

test.each(['3', 'example.net'])(
  'without a terminal %s needs --yes: 2, and nothing is deleted where nothing can be looked up',
  async (named) => {
    const { world, requests } = await connected();
    expect(await world.run(`domain delete ${named}`)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Error: Nothing was deleted, because this needs confirmation: This deletes domain ${named}: it can no longer send, and API keys restricted to it lose the restriction. Delete it?\nHint: To confirm, add --yes.\n`,
    });
    expect(new Set(requests())).toEqual(new Set(['GET /api/v1/domains']));
  },
);

const scheduled = (latestStatus: string | null, scheduledAt: string) => ({
  id: 'email_1',
  to: 'ana@example.org',
  latestStatus,
  scheduledAt,
});

/** Responses about a domain: its list, campaigns of four statuses, and a page or two of its emails. */
async function usedDomain({ more = false } = {}) {
  const campaigns = [
    { id: 'c1', from: 'News <news@A.example>' },
    { id: 'c2', from: 'x@b.a.example' },
  ];
  const body = (path: string) => {
    if (path.includes('/v1/domains')) return [domain(4, 'a.example')];
    if (path.includes('status=PAUSED')) return { campaigns, totalPage: more ? 2 : 1 };
    if (path.includes('/v1/campaigns')) return { campaigns: [], totalPage: 1 };
    const emails = [
      scheduled('SCHEDULED', '2026-02-01T00:00:00Z'),
      scheduled(null, '2026-02-01T00:00:00Z'),
      scheduled(null, '2026-01-01T00:00:00Z'),
      scheduled('SENT', '2026-01-01T00:00:00Z'),
    ];
    return { data: emails, count: more ? 999 : 4 };
  };
  const answer: Answer = (response, { path }) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body(path)));
  };
  return await connected(...Array<Answer>(20).fill(answer));
}

describe.each([
  ['Unsent campaigns from it: 1; scheduled emails: 2.', {}],
  ['Unsent campaigns from it: at least 1; scheduled emails: at least 4.', { more: true }],
])('says what goes with a domain: %s', (use, how) => {
  test('before --yes', async () => {
    const { run, requests } = await usedDomain(how);
    const { exitCode, stderr } = await run('domain delete a.example');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`lose the restriction. ${use} Delete it?`);
    expect(requests().filter((one) => !one.startsWith('GET'))).toEqual([]);
  });

  test.each(['a.example', '4'])('in the question about %s', async (named) => {
    const { run } = await usedDomain(how);
    const { text } = await atTerminal(run, `domain delete ${named}`, [['Delete it?', 'n\r']]);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `domain a.example (id 4): it can no longer send, and API keys restricted to it lose the restriction. ${use} Delete it?`,
    );
  });

  test('in the question of the rule deletes: ask, in spite of --yes', async () => {
    const { run } = await usedDomain(how);
    const { text } = await atTerminal(run, 'domain delete 4 --yes', [[/asked\s+because/, 'n\r']], {
      env: { MAILER_DELETES: 'ask' },
    });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `${use} Delete it? You are asked because of deletes`,
    );
  });
});

test('what cannot be counted is said', async () => {
  const { run } = await connected(
    { body: [domain(4, 'a.example')] },
    ...Array(9).fill({ status: 403, body: {} }),
  );
  expect((await run('domain delete 4')).stderr).toContain(
    'Unsent campaigns from it: unknown; scheduled emails: unknown. Delete it?',
  );
});

test('no such domain: 4', async () => {
  const world = createWorld();
  const { exitCode, stderr } = await world.run('domain delete 99 --sandbox --yes');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('Error: Domain not found\n');
  expect((await world.run('domain delete no.example --sandbox --yes')).exitCode).toBe(4);
  expect((await world.run('domain list --sandbox -q')).stdout).toBe('3\n2\n1\n');
});

test('success: false is an error, with the message of the service', async () => {
  const { world } = await connected({ body: { id: 4, success: false, message: 'Not now' } });
  expect(await world.run('domain delete 4 --yes')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Error: Not now\n',
  });
});

test('--dry-run needs no yes, no key and no look-up', async () => {
  const world = createWorld();
  const byId = await world.run('domain delete 4 --dry-run');
  expect(byId.stdout).toMatch(/^DELETE \{base_url\}\/v1\/domains\/4\n/);
  expect(byId.stderr).toBe('Dry run: nothing was sent.\n');
  const byName = await world.run('domain delete a.example --dry-run --json');
  expect(JSON.parse(byName.stdout)).toMatchObject({
    method: 'DELETE',
    url: '{base_url}/v1/domains/a.example',
  });
  expect(byName.stderr).toContain('The domain "a.example" would be looked up first');
});

test('neither id nor name: 2, and nothing is sent', async () => {
  const { world, requests } = await connected();
  const { exitCode, stderr } = await world.run('domain delete example --yes');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`"example" is neither a domain's id nor a domain name`);
  expect(requests()).toEqual([]);
});
