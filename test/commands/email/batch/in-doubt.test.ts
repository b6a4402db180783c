import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../../src/lib/base/errors.ts';
import { everybody } from '../../../support/batch-run.ts';
import { emailsIn, isEmailList } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf, failureOf } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Recorded } from '../../../support/recorder.ts';

const minute = 60_000;
const words = [
  ...['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--subject', 'Hi {{ name }}'],
  ...['--text', 'Hello', '--yes', '--json', '--retries', '0'],
];

interface Email {
  readonly id: string;
  readonly to: string;
  readonly subject?: string;
  readonly createdAt: string;
}

/**
 * A service that carries a request out again after its minute, because the first is still at work and its result is
 * not stored. `carriesOut` returns how many emails of the first request it creates before its response is lost.
 */
async function slowService(carriesOut: (emails: number) => number) {
  const created: Email[] = [];
  let sends = 0;
  let listFails: number | undefined;
  let inTurn = false;
  let lists = 0;
  let held: (() => void) | undefined;
  const answer = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const create = (request: Recorded, count: number) => {
    const added = emailsIn(request)
      .slice(0, count)
      .map((email) => ({
        ...email,
        id: `em_${sends}_${email.to}`,
        // The clock that its responses show.
        createdAt: new Date().toISOString(),
      }));
    created.push(...added);
    return added;
  };
  const handle = (response: ServerResponse, request: Recorded) => {
    const url = new URL(request.path, 'http://x');
    if (isEmailList(request)) {
      if (listFails !== undefined) {
        return answer(response, listFails, { error: { code: 'X', message: 'down' } });
      }
      if (inTurn && lists === 1 && sends < 3) {
        held = () => handle(response, request);
        return;
      }
      if (++lists === 1) setImmediate(() => held?.());
      const page = Number(url.searchParams.get('page'));
      const data = created.toReversed().slice((page - 1) * 50, page * 50);
      return answer(response, 200, { data, count: created.length });
    }
    const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const one = created.find((email) => email.id === id);
    if (one !== undefined) return answer(response, 200, { ...one, to: [one.to], emailEvents: [] });
    if (request.method !== 'POST') return answer(response, 200, []);
    if (inTurn && lists === 0) {
      held = () => handle(response, request);
      return;
    }
    if (++sends === 1) {
      create(request, carriesOut(emailsIn(request).length));
      return void response.destroy();
    }
    if (sends === 3) held?.();
    answer(response, 200, {
      data: create(request, Number.POSITIVE_INFINITY).map((email) => ({ emailId: email.id })),
    });
  };
  const setup: Connected = await connected(...Array(60).fill(handle));
  setup.file('people.csv', peopleCsv(3));
  return {
    ...setup,
    created,
    /** From now on, it responds to the first list, then to the second and third send, then to the next list. */
    respondInTurn: () => {
      inTurn = true;
    },
    failList: (status: number) => {
      listFails = status;
    },
    posts: () => setup.service.requests.filter(({ method }) => method === 'POST'),
    /** Runs the line once, whose response is lost, and again after some minutes. */
    twice: async (minutes: number) => {
      expect((await setup.run(words)).exitCode).toBe(7);
      setup.world.clock.advance(minutes * minute);
      return await setup.run(words);
    },
    mailed: () => created.map(({ to }) => to).toSorted(),
  };
}

describe('a request that had no response, a minute later', () => {
  test('is not repeated if the service has its emails', async () => {
    const at = await slowService((emails) => emails);
    const outcome = await at.twice(2);
    expect({ exitCode: outcome.exitCode, mailed: at.mailed() }).toEqual({
      exitCode: 0,
      mailed: everybody(3),
    });
    expect(at.posts()).toHaveLength(1);
    expect(JSON.parse(outcome.stdout).data).toEqual(
      everybody(3).map((to, row) => ({ row: row + 1, to, emailId: `em_1_${to}` })),
    );
  });

  test('is repeated under the same key if the service has none of them, in two looks', async () => {
    const at = await slowService(() => 0);
    expect(await at.twice(2)).toMatchObject({ exitCode: 0 });
    expect(at.mailed()).toEqual(everybody(3));
    const [first, second, ...others] = at.posts();
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(others).toEqual([]);
    expect(at.service.requests.filter(isEmailList).length).toBeGreaterThan(1);
  });

  test('is completed if the service has some of them', async () => {
    const at = await slowService(() => 2);
    expect(await at.twice(2)).toMatchObject({ exitCode: 0 });
    expect(at.mailed()).toEqual(everybody(3));
    const [first, second] = at.posts();
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  test('is left alone if the look fails, which proves nothing', async () => {
    const at = await slowService((emails) => emails);
    at.failList(500);
    const outcome = await at.twice(2);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).hint).toContain('3 have no response yet');
    expect(at.posts()).toHaveLength(1);
  });

  test('does not keep the others waiting if the key may not read emails', async () => {
    const at = await slowService((emails) => emails);
    at.file('people.csv', peopleCsv(150));
    await at.run([...words, '--concurrency', '1']);
    at.failList(403);
    at.world.clock.advance(2 * minute);
    const outcome = await at.run(words);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).message).toContain(
      'Cannot check whether the service has the emails whose response was lost, so they were not sent again:',
    );
    expect(at.mailed()).toEqual(everybody(150).toSorted());
  });

  test('is unknown if its emails may be those of another request', async () => {
    const at = await slowService((emails) => emails);
    const before = at.run;
    await before(words);
    const [copied] = at.created;
    if (copied !== undefined) at.created.push({ ...copied, id: 'em_other' });
    at.world.clock.advance(2 * minute);
    const outcome = await at.run(words);
    expect(outcome.exitCode).toBe(11);
    expect(failureOf(outcome).message).toContain('3 with an unknown outcome');
    expect(at.posts()).toHaveLength(1);
  });

  test('is not taken for an identical row that is sent meanwhile', async () => {
    const ctrlC = new AbortController();
    const at = await slowService(() => {
      ctrlC.abort(new InterruptedError('Interrupted.'));
      return 0;
    });
    // The row after the first request is the same as the first one.
    const rows = peopleCsv(200).trimEnd().split('\n');
    rows.splice(101, 0, 'p1@example.org,Name 1');
    at.file('people.csv', rows.join('\n'));
    await at.run([...words, '--concurrency', '1'], { signal: ctrlC.signal });
    expect(at.mailed()).toEqual([]);
    at.world.clock.advance(2 * minute);
    const createdAt = new Date().toISOString();
    at.created.push({ id: 'em_other', to: 'other@example.org', createdAt });
    // The journal has the second request when the third leaves.
    at.respondInTurn();
    const outcome = await at.run([...words, '--concurrency', '2']);
    expect(outcome.exitCode).toBe(0);
    const others = ['other@example.org', 'p1@example.org'];
    expect(at.mailed()).toEqual([...everybody(200), ...others].toSorted());
  });

  test('has a quarter of a minute in which its own key tells, without a look', async () => {
    const at = await slowService(() => 0);
    expect(await at.twice(0.25)).toMatchObject({ exitCode: 0 });
    expect(at.service.requests.filter(isEmailList)).toEqual([]);
    expect(at.mailed()).toEqual(everybody(3));
  });
});

test('a proxy that gives up after a minute is not followed by another request within the command', async () => {
  const setup: Connected = await connected((response) => {
    setup.world.clock.advance(minute);
    response.writeHead(504, { 'content-type': 'text/html' }).end('<html>Gateway Time-out</html>');
  });
  setup.file('people.csv', peopleCsv(2));
  expect((await setup.run(words.slice(0, -2))).exitCode).toBe(7);
  expect(setup.service.requests).toHaveLength(1);
});
