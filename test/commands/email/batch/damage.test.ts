import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emailsIn, refuseNamed } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';
import { pick, seeded } from '../../../support/seeded.ts';

const rows = 650;
const refused = 'p250@example.org';
const line = [
  ...['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--subject', 'Hi'],
  ...['--text', '{{ name }}', '--yes', '--concurrency', '1', '--jsonl'],
];
const everybody = Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
const accepted = everybody.filter((to) => to !== refused).toSorted();

/** A service that recognises a request by its key, as live ones do for 24 hours. */
function createService() {
  let bodies = new Map<string, string>();
  const answer: Answer = (response, request) => {
    const key = String(request.headers['idempotency-key']);
    const before = bodies.get(key);
    if (before !== undefined && before !== request.body) {
      response.writeHead(409).end('{"error":{"code":"NOT_UNIQUE","message":"other body"}}');
      return;
    }
    if (!request.body.includes(`"${refused}"`)) bodies.set(key, request.body);
    refuseNamed(refused)(response, request);
  };
  return {
    answer,
    /** The recipients of all emails created; twice if somebody got two. */
    recipients: () =>
      [...bodies.values()].flatMap((body) => emailsIn({ body }).map(({ to }) => to)),
    remembered: () => new Map(bodies),
    remember(known: ReadonlyMap<string, string>) {
      bodies = new Map(known);
    },
  };
}

type Damage = (bytes: Buffer, random: () => number) => Buffer | undefined;

const damages: readonly [Damage, ...Damage[]] = [
  function cut(bytes, random) {
    return bytes.subarray(0, Math.floor(random() * bytes.length));
  },
  function cutAtPage(bytes, random) {
    return bytes.subarray(0, Math.floor((random() * bytes.length) / 4096) * 4096);
  },
  function oneByte(bytes, random) {
    return flipped(bytes, 1, random);
  },
  function someBytes(bytes, random) {
    return flipped(bytes, 20, random);
  },
  function page(bytes, random) {
    const at = Math.floor((random() * bytes.length) / 4096) * 4096;
    return Buffer.from(bytes).fill(0, at, Math.min(at + 4096, bytes.length));
  },
  function gone() {
    return undefined;
  },
];

function flipped(bytes: Buffer, times: number, random: () => number): Buffer {
  const changed = Buffer.from(bytes);
  for (let turn = 0; turn < times; turn++) {
    const at = Math.floor(random() * changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return changed;
}

test('a damaged run is rejected or resumed: nobody gets two emails', async () => {
  const service = createService();
  let requests = 0;
  let known: ReadonlyMap<string, string> = new Map();
  const { world, run, file } = await connected(
    ...Array<Answer>(10_000).fill((response, request) => {
      requests++;
      // As if the process was killed during this request: two hundreds are accepted, one was split,
      // one has no response, and the others were never sent.
      if (requests === 5) cpSync(state, copy, { recursive: true });
      service.answer(response, request);
      if (requests === 5) known = service.remembered();
    }),
  );
  const state = join(world.home, '.local', 'state', 'mailer', 'runs');
  const copy = join(world.home, 'copy');
  file('people.csv', peopleCsv(rows));
  const whole = await run(line);
  expect(whole.exitCode).toBe(11);
  expect(service.recipients().toSorted()).toEqual(accepted);
  const [name = ''] = JSON.parse((await run('run list --json')).stdout).map(
    ({ run }: { run: string }) => run,
  );

  const random = seeded(4);
  const ends: Record<string, number> = {};
  for (let variant = 0; variant < 36; variant++) {
    rmSync(state, { recursive: true });
    cpSync(copy, state, { recursive: true });
    service.remember(known);
    const files = ['journal.sqlite', 'journal.sqlite-wal'] as const;
    const damaged = pick(random, files);
    const damage = pick(random, damages);
    const path = join(state, name, damaged);
    const bytes = damage(readFileSync(path), random);
    if (bytes === undefined) rmSync(path);
    else writeFileSync(path, bytes);

    const sentBefore = requests;
    const outcome = await run(line);
    const what = { variant, damaged, damage: damage.name, stderr: outcome.stderr };
    const { exitCode, stderr, stdout } = outcome;
    const end = stdout === '' ? `refused ${exitCode}` : 'went on';
    ends[`${damaged} ${end}`] = (ends[`${damaged} ${end}`] ?? 0) + 1;
    const got = service.recipients();
    expect({ ...what, twice: got.length - new Set(got).size }).toEqual({ ...what, twice: 0 });
    expect({ ...what, exitCode }).toEqual({ ...what, exitCode: exitCode === 11 ? 11 : 2 });
    if (stdout !== '') {
      expect({ ...what, got: got.toSorted() }).toEqual({ ...what, got: accepted });
      expect({ ...what, stdout }).toEqual({ ...what, stdout: whole.stdout });
    } else {
      // Exit code 2 means that nothing was sent.
      expect({ ...what, code: JSON.parse(stderr).error.code }).toEqual({
        ...what,
        code: requests === sentBefore ? 'usage' : 'partial',
      });
      expect(JSON.parse(stderr).error).toMatchObject({
        message: expect.stringMatching(/^The journal of this run /),
      });
    }
  }
  // Some damage was harmless, some fatal.
  expect(Object.keys(ends)).toEqual(
    expect.arrayContaining(['journal.sqlite refused 2', 'journal.sqlite-wal went on']),
  );
});
