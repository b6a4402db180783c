import { expect, test } from 'vitest';
import { email, hour, second, startSandbox } from '../harness.ts';
import { type Answer, type Message, Model, recipients } from './model.ts';

/** Numbers from 0 to below 1, the same for each seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All times are multiples of this, so that no two events coincide. */
const step = 10 * second;
const steps = 50;

type Step = 'send' | 'keyed' | 'batch' | 'reschedule' | 'cancel' | 'advance';
const kinds: readonly Step[] = ['send', 'keyed', 'batch', 'reschedule', 'cancel', 'advance'];

/** A sandbox and a model that get the same random requests. */
function pair(seed: number) {
  const sandbox = startSandbox();
  const model = new Model(sandbox.clock.now);
  const random = numbersFrom(seed);
  /** The sandbox's ids by the model's numbers. */
  const ids: string[] = [];

  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
  /** A time from just before now to two days ahead. */
  const someTime = () => model.now + step * (below(10) === 0 ? -1 : below((48 * hour) / step));
  const message = (): Message => {
    const plain = { to: oneOf(recipients), subject: oneOf(['A', 'B']) };
    return below(2) === 0 ? plain : { ...plain, scheduledAt: new Date(someTime()).toISOString() };
  };

  /** Expects the model's response from the sandbox, and stores new ids. */
  async function agree(
    expected: Answer,
    path: string,
    method: string,
    body: unknown,
    key?: string,
  ) {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const reply = await sandbox.request(method, path, { body, headers });
    if ('refused' in expected) {
      expect(reply.status, reply.text).toBe(expected.refused);
      return;
    }
    expect(reply.status, reply.text).toBe(200);
    const given = [...reply.text.matchAll(/"emailId":"(\w+)"/g)].map(([, id = '']) => id);
    expect(given).toHaveLength(expected.sent.length);
    for (const [index, number] of expected.sent.entries()) {
      const id = given[index] ?? '';
      expect(ids[number] ?? id).toBe(id);
      ids[number] = id;
    }
    expect(new Set(ids).size).toBe(model.count);
  }

  async function takeStep(): Promise<void> {
    const kind = oneOf(kinds);
    const number = below(model.count + 1);
    // This may be an email that does not exist.
    const id = ids[number] ?? 'none';
    const missing = ids[number] === undefined ? { refused: 404 } : undefined;
    switch (kind) {
      case 'send':
      case 'keyed': {
        const key = kind === 'keyed' ? oneOf(['k1', 'k2', 'k3']) : undefined;
        // Few, so that a key is sometimes repeated with the same body.
        const one =
          key === undefined ? message() : { to: recipients[0], subject: oneOf(['A', 'B']) };
        const body = email({ ...one });
        return agree(model.send(key, body, [one]), '/emails', 'POST', body, key);
      }
      case 'batch': {
        const key = below(2) === 0 ? oneOf(['k1', 'k2', 'k3']) : undefined;
        const messages = Array.from({ length: 1 + below(3) }, message);
        const body = messages.map((one) => email({ ...one }));
        return agree(model.send(key, body, messages), '/emails/batch', 'POST', body, key);
      }
      case 'reschedule': {
        const at = someTime();
        const body = { scheduledAt: new Date(at).toISOString() };
        const expected = missing ?? model.reschedule(number, at);
        return agree(expected, `/emails/${id}`, 'PATCH', body);
      }
      case 'cancel':
        return agree(missing ?? model.cancel(number), `/emails/${id}/cancel`, 'POST', {});
      case 'advance': {
        const time = step * (1 + below((20 * hour) / step));
        sandbox.advance(time);
        model.now += time;
      }
    }
  }

  /** Expects every email to be as in the model. */
  async function compare(): Promise<void> {
    const latest = new Map<string, unknown>();
    for (let page = 1; latest.size < model.count; page++) {
      const { data } = await sandbox.ok('email.list', { query: { page } });
      for (const one of data) if (ids.includes(one.id)) latest.set(one.id, one.latestStatus);
      if (data.length === 0) break;
    }
    for (const [number, expected] of model.histories().entries()) {
      const emailId = ids[number] ?? '';
      const { emailEvents } = await sandbox.ok('email.get', { params: { emailId } });
      const entries = emailEvents.map(({ status, createdAt }) => `${status} ${createdAt}`);
      expect({ number, entries: entries.sort(), latest: latest.get(emailId) }).toEqual({
        number,
        ...expected,
        entries: [...expected.entries].sort(),
      });
    }
  }

  return { takeStep, compare };
}

const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

test.each(seeds)('emails match a simple model after any steps: seed %i', async (seed) => {
  const { takeStep, compare } = pair(seed);
  for (let count = 1; count <= steps; count++) {
    await takeStep();
    if (count % 10 === 0) await compare();
  }
});
