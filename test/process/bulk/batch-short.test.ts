import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batchLine, everybody, writePeople } from '../../support/batch.ts';
import { runHere } from '../../support/here.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { type Answer, type Recorded, startRecorder } from '../../support/recorder.ts';
import { pick, seeded } from '../../support/seeded.ts';
import { createShortService, type SentEmail } from '../../support/short-service.ts';

const rows = 300;
const line = [...batchLine, '--results', 'results.jsonl', '--quiet'];

/** The purpose of a request: to send emails, to read one back, or to send those left out again. */
const kinds = ['batch', 'look', 'rest'] as const;
/** When the sender is killed. */
const moments = ['before it is heard', 'heard, without an answer', 'after its answer'] as const;

interface Aim {
  readonly target: Started;
  readonly kind: (typeof kinds)[number];
  readonly moment: (typeof moments)[number];
  /** Its number among requests of its kind, from 1. */
  after: number;
}

/** A service that does not create some emails, and kills the sender of a request. */
async function startKiller(
  leavesOut: (email: SentEmail, times: number) => boolean,
  options: { readonly listFails?: number } = {},
) {
  const service = createShortService({ leavesOut, ...options });
  let aim: Aim | undefined;
  const recorder = await startRecorder(
    ...Array<Answer>(20_000).fill((response, request) => {
      const mine = aim?.kind === kindOf(request) && --aim.after === 0 ? aim : undefined;
      if (mine?.moment === 'before it is heard') {
        mine.target.kill('SIGKILL');
        response.destroy();
        return;
      }
      if (mine?.moment === 'heard, without an answer') {
        mine.target.kill('SIGKILL');
        response.socket?.destroy();
      }
      service.answer(response, request);
      if (mine?.moment === 'after its answer') mine.target.kill('SIGKILL');
    }),
  );
  return {
    service,
    env: { MAILER_BASE_URL: recorder.baseUrl, MAILER_API_KEY: 'us_key_1234567890' },
    aim(next: Aim) {
      aim = next;
    },
  };
}

function kindOf({ method, body }: Recorded): Aim['kind'] {
  if (method === 'GET') return 'look';
  return JSON.parse(body).length === 100 ? 'batch' : 'rest';
}

function resultsIn({ home }: Place) {
  const lines = readFileSync(join(home, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((one) => JSON.parse(one));
}

describe('an answer that is short, and SIGKILL:', () => {
  const leftOutOnce = [3, 77, 120, 121, 299].map((row) => `p${row}@example.org`);

  test.for<[Aim['kind'], number, Aim['moment']]>([
    ['batch', 1, 'heard, without an answer'],
    ['look', 1, 'before it is heard'],
    ['look', 2, 'after its answer'],
    ['rest', 1, 'heard, without an answer'],
    ['rest', 1, 'after its answer'],
  ])('%s %i, %s: the same line sends each row once', async ([kind, after, moment]) => {
    const place = createPlace();
    writePeople(place, rows);
    const { service, env, aim } = await startKiller(
      ({ to }, times) => leftOutOnce.includes(String(to)) && times === 0,
    );
    const words = [...line, '--concurrency', '1'];
    const run = place.start(words, { env });
    aim({ target: run, kind, after, moment });
    expect(await finished(run)).toMatchObject({ signal: 'SIGKILL' });
    const { exitCode, stderr } = await runHere(place, words, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(service.taken().toSorted()).toEqual(everybody(rows).toSorted());
    expect(resultsIn(place)).toEqual(
      everybody(rows).map((to, index) => ({ row: index + 1, to, emailId: service.idOf(to) })),
    );
  });

  test('again and again, at any step: every row is accepted once, or named', async () => {
    const random = seeded(14);
    const place = createPlace();
    writePeople(place, rows);
    const never = 'p5@example.org';
    const leavesOut = ({ to }: SentEmail, times: number) => {
      if (to === never) return true;
      return Number(/\d+/.exec(String(to))?.[0]) % 23 === 0 && times === 0;
    };
    // Then each email is read individually.
    const { service, env, aim } = await startKiller(leavesOut, { listFails: 404 });
    const words = [...line, '--concurrency', '3'];
    let kills = 0;
    for (let complete = false; !complete; ) {
      const run = place.start(words, { env });
      const kind = pick(random, kinds);
      const after = 1 + Math.floor(random() * (kind === 'look' ? 60 : 2));
      aim({ target: run, kind, after, moment: pick(random, moments) });
      const { signal, exitCode, stderr } = await finished(run);
      if (signal === 'SIGKILL') kills++;
      else expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
      complete = signal === undefined;
    }
    // The number depends on which requests run concurrently.
    expect(kills).toBeGreaterThan(1);
    const others = everybody(rows).filter((to) => to !== never);
    expect(service.taken().toSorted()).toEqual(others.toSorted());
    const results = resultsIn(place);
    expect(results).toHaveLength(rows);
    for (const [index, { row, to, emailId, error }] of results.entries()) {
      expect({ row, to }).toEqual({ row: index + 1, to: `p${index + 1}@example.org` });
      if (to === never) expect(error).toMatchObject({ code: 'rejected' });
      else expect({ to, emailId }).toEqual({ to, emailId: service.idOf(to) });
    }
  });
});
