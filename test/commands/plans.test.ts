import { describe, expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { effectOf } from '../../src/lib/service/http/plan.ts';
import { changingLines as lines, prepared } from '../support/changing-lines.ts';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** What its first request shows needs a whole file, so that --expect does not take its digest. */
const withoutExpect = ['contact import'];

const commands: string[] = [];
for (const { words, load } of manifest) {
  const { command } = await load();
  const { changes, deletes } = command.effects;
  if ((changes || deletes) && command.takes?.includes('dry runs')) commands.push(words.join(' '));
}

test('each command that changes or deletes something has a line here', () => {
  expect(Object.keys(lines).sort()).toEqual(commands.sort());
});

describe.each(Object.entries(lines))('a dry run of %s', (name, [line, effect, stdin = '']) => {
  test('is a plan with requests, effect and a digest, which --expect takes, and nothing else', async () => {
    const { world, filled } = await prepared();
    const words = `${filled(line)} --sandbox --json`;
    const shown = await world.run(`${words} --dry-run`, { stdin });
    expect({ stderr: shown.stderr, exitCode: shown.exitCode }).toMatchObject({ exitCode: 0 });
    const plan = JSON.parse(shown.stdout);
    expect(plan).toMatchObject({ effect, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(plan.requests).toMatchObject([{ method: plan.method, url: plan.url }]);
    expect(Object.values(plan.counts).every((count) => count === null || Number(count) > 0)).toBe(
      true,
    );
    if (withoutExpect.includes(name)) return;
    const other = await world.run(`${words} --yes --expect ${'0'.repeat(64)}`, { stdin });
    expect(other.exitCode).toBe(2);
    expect(errorOf(other)).toMatchObject({
      code: 'policy',
      message: expect.stringContaining(plan.digest),
    });
    const wanted = await world.run(`${words} --yes --expect ${plan.digest}`, { stdin });
    expect({ exitCode: wanted.exitCode, stderr: wanted.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('is all that an unexpected digest does: nothing leaves that changes something', async () => {
    if (withoutExpect.includes(name)) return;
    const { run, requests } = await connected();
    const words = line
      .replace('c.html', '-')
      .replace('t.html', '-')
      .replace(/[A-Z]{4,}/, 'cm3k9x2f8000008l4');
    await run(`${words} --yes --retries 0 --expect ${'0'.repeat(64)}`, {
      stdin: '<a href="{{usesend_unsubscribe_url}}">x</a>',
    });
    expect(requests().filter((request) => !/^(GET|HEAD)/.test(request))).toEqual([]);
  });
});

describe('a plan of several requests', () => {
  test('has all of them and one digest: email cancel', async () => {
    const { run, requests } = await connected(
      { body: { emailId: 'e1' } },
      { body: { emailId: 'e2' } },
    );
    const stdin = 'email_1\nemail_2\n';
    const plan = JSON.parse((await run('email cancel - --dry-run --json', { stdin })).stdout);
    expect(plan.requests).toMatchObject([
      { method: 'POST', url: expect.stringMatching(/email_1\/cancel$/) },
      { method: 'POST', url: expect.stringMatching(/email_2\/cancel$/) },
    ]);
    expect(plan).toMatchObject({ effect: 'cancels 2 emails', counts: { emails: 2 } });
    const expected = `email cancel - --expect ${plan.digest}`;
    expect((await run(expected, { stdin: 'email_1\nemail_3\n' })).exitCode).toBe(2);
    expect(requests()).toEqual([]);
    expect((await run(expected, { stdin })).exitCode).toBe(0);
    expect(requests()).toHaveLength(2);
    const logged = JSON.parse((await run('log list --json')).stdout);
    expect(logged[0].digest).toBe(plan.digest);
  });

  test('has the number of all rows, and the first request: email batch', async () => {
    const world = createWorld();
    const rows = Array.from({ length: 250 }, (_, row) => `p${row}@example.org`);
    fileIn(world, 'people.csv', ['to', ...rows, ''].join('\n'));
    const line =
      'email batch people.csv --from hello@example.com --subject s --text t --sandbox --dry-run --json';
    const plan = JSON.parse((await world.run(line)).stdout);
    expect(plan).toMatchObject({ effect: 'sends 250 emails', counts: { emails: 250 } });
    expect(plan.requests).toHaveLength(1);
  });
});

test('a plan with a name has no digest: the request has the id', async () => {
  const { stdout } = await createWorld().run('domain delete a.example --dry-run --json');
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({ effect: expect.stringMatching(/^deletes 1 domain/) });
  expect(plan).not.toHaveProperty('digest');
});

test('every operation that does more than read has words for its effect', () => {
  const writing = Object.values(operations).filter(({ effect }) => effect !== 'reads');
  for (const { id } of writing) {
    expect([id, effectOf([{ operation: id, body: undefined }]).words]).not.toEqual([
      id,
      'sends a request whose effect is not known',
    ]);
  }
});
