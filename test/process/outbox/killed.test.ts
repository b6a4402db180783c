import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { worldOf } from '../../support/here.ts';
import { enter } from '../../support/keys.ts';
import { type MailCounter, type Moment, startMailCounter } from '../../support/mail-counter.ts';
import { createPlace, finished, type Place } from '../../support/process.ts';
import { openTerminal } from '../../support/terminal.ts';

// Real processes of the built program end by SIGKILL at each of their steps on the disk and at each request, and
// connections are cut there. What a journal does between its own steps is for `npm run prove`.

const email = 'email send --to ana@example.org --from hello@example.com --subject Hi --text Hello';
const batch = 'email batch people.csv --from hello@example.com --subject Hi --text Hello';
const campaign = 'campaign schedule cm_march --now';

/** What is prepared, its recipients, and whether its requests have idempotency keys. */
const kinds = [
  ['email send', email, 1, true],
  ['email batch', batch, 250, true],
  ['campaign schedule', campaign, 3, false],
] as const;

interface Prepared {
  readonly place: Place;
  readonly counter: MailCounter;
  readonly id: string;
}

async function prepare(words: string): Promise<Prepared> {
  const counter = await startMailCounter();
  const place = createPlace(counter.env);
  const people = Array.from({ length: 250 }, (_, index) => `p${index}@example.org`);
  writeFileSync(join(place.home, 'people.csv'), ['to', ...people, ''].join('\n'));
  const prepared = await worldOf(place).run(`${words} --for-approval --quiet`);
  return { place, counter, id: prepared.stdout.trim() };
}

async function approved(words: string, recipients: number): Promise<Prepared> {
  const prepared = await prepare(words);
  const { place, id } = prepared;
  const steps = [['type the number', `${recipients}\r`]] as const;
  const { exitCode } = await atTerminal(worldOf(place).run, ['outbox', 'approve', id], steps);
  expect(exitCode).toBe(0);
  return prepared;
}

/** Sends what is left, as often as it takes, and checks that nobody got two. */
async function expectSentOnce({ place, counter, id }: Prepared, count: number, isKeyed: boolean) {
  counter.interrupt = undefined;
  const ends: number[] = [];
  for (const _ of [1, 2, 3]) {
    ends.push((await worldOf(place).run(['outbox', 'send', id])).exitCode);
    if (ends.at(-1) === 0) break;
  }
  const counts = [...counter.mailed.values()];
  if (isKeyed || ends.at(-1) === 0) {
    expect({ ends, counts }).toEqual({ ends, counts: Array(count).fill(1) });
    expect(ends.at(-1)).toBe(0);
  } else {
    // A start has no key: whether it was carried out is for a person to see.
    expect(ends).toEqual([5, 5, 5]);
    expect(counts.every((times) => times === 1)).toBe(true);
  }
}

/** A module that kills its process before the step with this number: a rename or a sync. */
function killer(place: Place, step: number): string {
  const path = join(place.home, 'killer.mjs');
  writeFileSync(
    path,
    `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = ${step};
    for (const name of ['renameSync', 'fsyncSync']) {
      const real = fs[name];
      fs[name] = (...given) => {
        if (left-- === 0) process.kill(process.pid, 'SIGKILL');
        return real(...given);
      };
    }
    syncBuiltinESMExports();`,
  );
  return `--import=${path}`;
}

test.each(kinds)(
  '%s: outbox send is killed before each of its steps on the disk',
  async (_, words, count, isKeyed) => {
    let step = 0;
    for (; ; step++) {
      const prepared = await approved(words, count);
      const { place, id } = prepared;
      const env = { NODE_OPTIONS: killer(place, step) };
      const { exitCode, signal } = await finished(place.start(['outbox', 'send', id], { env }));
      if (signal !== 'SIGKILL') {
        expect({ step, exitCode }).toEqual({ step, exitCode: 0 });
        break;
      }
      await expectSentOnce(prepared, count, isKeyed);
    }
    // It marks the entry as begun, and as sent, each with three steps.
    expect(step).toBeGreaterThanOrEqual(6);
  },
);

const moments: readonly Moment[] = [
  'before it is carried out',
  'before its response',
  'after its response',
];

const cases = kinds.flatMap((kind) => moments.map((moment) => [kind[0], moment, kind] as const));

test.each(cases)('%s: outbox send is killed at a request, %s', async (_, moment, kind) => {
  const [name, words, count, isKeyed] = kind;
  for (const nth of name === 'email batch' ? [1, 2, 3] : [1]) {
    const prepared = await approved(words, count);
    const { place, counter, id } = prepared;
    const process = place.start(['outbox', 'send', id]);
    let left = nth;
    counter.interrupt = (now) => now === moment && --left === 0 && process.kill('SIGKILL');
    await finished(process);
    await expectSentOnce(prepared, count, isKeyed);
  }
});

test.each(cases)('%s: the connection is cut, %s', async (_, moment, kind) => {
  const [name, words, count, isKeyed] = kind;
  for (const nth of name === 'email batch' ? [1, 2, 3] : [1]) {
    const prepared = await approved(words, count);
    const { place, counter, id } = prepared;
    let left = nth;
    counter.interrupt = (now) => now === moment && --left <= 0;
    await worldOf(place).run(['outbox', 'send', id, '--retries', '0']);
    await expectSentOnce(prepared, count, isKeyed);
  }
});

test('outbox approve is killed before each of its steps: it is approved or not, and never sent', async () => {
  let step = 0;
  for (; ; step++) {
    const prepared = await prepare(email);
    const { place, counter, id } = prepared;
    const env = { NODE_OPTIONS: killer(place, step) };
    const terminal = openTerminal(place, `mailer outbox approve ${id}`, { env });
    const ended = terminal.end();
    await Promise.race([terminal.shows('type the number'), ended]);
    terminal.type(`1${enter}`);
    const exitCode = await ended;
    expect(counter.posts()).toEqual([]);
    const { stdout } = await worldOf(place).run(['outbox', 'get', id, '--json']);
    const { state } = JSON.parse(stdout);
    expect(state).toMatch(/^(pending|approved)$/);
    const sent = await worldOf(place).run(['outbox', 'send', id]);
    expect(sent.exitCode).toBe(state === 'approved' ? 0 : 2);
    expect(counter.mailed.size).toBe(state === 'approved' ? 1 : 0);
    if (exitCode === 0) break;
  }
  expect(step).toBeGreaterThanOrEqual(3);
});

test('two processes at once send an entry once', async () => {
  const { place, counter, id } = await approved(batch, 250);
  const both = [1, 2].map(() => finished(place.start(['outbox', 'send', id])));
  const ends = (await Promise.all(both)).map(({ exitCode }) => exitCode ?? -1).sort();
  expect([
    [0, 0],
    [0, 5],
  ]).toContainEqual(ends);
  expect([...counter.mailed.values()]).toEqual(Array(250).fill(1));
  const path = join(place.home, '.local', 'state', 'mailer', 'outbox', id, 'state.json');
  expect(JSON.parse(readFileSync(path, 'utf8')).state).toBe('sent');
});
