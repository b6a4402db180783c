import { describe, expect, test } from 'vitest';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { type Connected, connected } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

const words = ['email', 'batch', 'people.csv', '--from', 'a@b.example', '--subject', 'S'];
const line = [...words, '--text', 'T', '--yes', '--concurrency', '1'];
const html = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><body>No</body></html>',
});

async function setUp(rows: number, ...answers: readonly Answer[]): Promise<Connected> {
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  return setup;
}

function keys({ service }: Connected): unknown[] {
  return service.requests.map(({ headers }) => headers['idempotency-key']);
}

describe("a proxy's refusal", () => {
  test('says nothing about the emails: the run stops, and resumes under the same key', async () => {
    const setup = await setUp(100, html(400), accept);
    const { exitCode, stderr } = await setup.run(line);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      '0 of 100 emails are accepted so far, 100 have no response yet. To resume without sending anything twice',
    );
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    const [first, second] = keys(setup);
    expect(second).toBe(first);
    expect(setup.service.requests).toHaveLength(2);
  });

  test('as too large is believed: the emails are sent in smaller requests', async () => {
    const setup = await setUp(100, html(413), accept, accept);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    const sizes = setup.service.requests.map((request) => emailsIn(request).length);
    expect(sizes).toEqual([100, 50, 50]);
  });
});

describe('24 hours later', () => {
  test.each<[string, Answer]>([
    [
      'a conflict: somebody else was sending them',
      { status: 409, body: { error: { code: 'NOT_UNIQUE', message: 'Not unique' } } },
    ],
    ["a proxy's 403", html(403)],
    ["a proxy's 400", html(400)],
  ])('%s leaves it open whether they went out, so they do not go out again', async (_, answer) => {
    // After a 403, the program also reads the reputation.
    const setup = await setUp(3, answer, accept, accept, accept);
    expect((await setup.run([...line, '--retries', '0'])).exitCode).not.toBe(0);
    setup.world.clock.advance(24 * 3_600_000);
    expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
    expect(posts(setup)).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['403', { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } }],
    ['429', { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'no' } } }],
  ])('what the service answered %s to is sent, as it never went out', async (_, answer) => {
    // After a 403, the program also reads the reputation.
    const setup = await setUp(3, answer, accept, accept, accept);
    expect((await setup.run([...line, '--retries', '0'])).exitCode).not.toBe(0);
    setup.world.clock.advance(24 * 3_600_000);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(posts(setup)).toHaveLength(2);
  });

  const posts = ({ service }: Awaited<ReturnType<typeof setUp>>) =>
    service.requests.filter(({ method }) => method === 'POST');
});
