import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, isExecutable, type Place, type Started } from '../../support/process.ts';
import { type Answer, type Recorder, startRecorder } from '../../support/recorder.ts';

const accepted: Answer = { body: { emailId: 'email_1' } };
const line = 'email send --to ana@example.com --from hello@example.com --subject Hi --text Hello';

/** A place whose programs may mail this many recipients per day, on this service. */
function placeAt({ baseUrl }: Recorder, perDay: number): Place {
  return createPlace({
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: baseUrl,
    MAILER_MAX_PER_DAY: String(perDay),
  });
}

test('of concurrent processes, no more send than the daily limit', async () => {
  const service = await startRecorder(...Array.from({ length: 5 }, () => accepted));
  const place = placeAt(service, 2);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => place.run(line)));
  expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 0, 2, 2, 2]);
  expect(service.requests).toHaveLength(2);
});

/** Accepts every email of a batch. */
const batched: Answer = (response, { body }) => {
  const data = JSON.parse(body).map(({ to }: { to: string }) => ({ emailId: `em_${to}` }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
};

test('of concurrent batches, none sends a request over the daily limit', async () => {
  const service = await startRecorder(...Array.from({ length: 9 }, () => batched));
  const place = placeAt(service, 250);
  const runs = ['a', 'b', 'c'].map(async (name) => {
    const rows = Array.from({ length: 200 }, (_, row) => `${name}${row}@example.com`);
    writeFileSync(join(place.home, `${name}.csv`), ['to', ...rows, ''].join('\n'));
    return await place.run(line.replace('send --to ana@example.com', `batch ${name}.csv --yes`));
  });
  const codes = (await Promise.all(runs)).map(({ exitCode }) => exitCode);
  expect(codes).not.toEqual([0, 0, 0]);
  const sent = service.requests.flatMap(({ body }) => JSON.parse(body));
  expect(sent.length).toBeLessThanOrEqual(250);
  expect(sent.length).toBeGreaterThan(0);
});

test.skipIf(isExecutable)(
  'a batch killed as soon as a request was counted does not count it again when it is resumed',
  async () => {
    const service = await startRecorder(...Array(3).fill(batched));
    const place = placeAt(service, 300);
    const killer = join(place.home, 'killer.cjs');
    writeFileSync(
      killer,
      `const { DatabaseSync } = require('node:sqlite');
      const { prepare, close } = DatabaseSync.prototype;
      const counted = new Set();
      DatabaseSync.prototype.prepare = function (sql) {
        if (sql.startsWith('INSERT INTO mailed')) counted.add(this);
        return prepare.call(this, sql);
      };
      DatabaseSync.prototype.close = function () {
        close.call(this);
        if (counted.has(this) && counted.size === 2) process.kill(process.pid, 'SIGKILL');
      };`,
    );
    const rows = Array.from({ length: 300 }, (_, row) => `p${row}@example.com`);
    writeFileSync(join(place.home, 'people.csv'), ['to', ...rows, ''].join('\n'));
    const batch = line.replace('send --to ana@example.com', 'batch people.csv --yes');
    const env = { NODE_OPTIONS: `--require=${killer}` };
    const killed = await place.run(`${batch} --concurrency 1`, { env });
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    expect(service.requests).toHaveLength(1);
    expect(await place.run(batch)).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(3);
    const shown = await runHere(place, 'policy show --json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ mailedToday: [{ mailed: 300 }] });
  },
);

test.skipIf(isExecutable)(
  'what is killed after it was counted, and before it is sent, counts',
  async () => {
    const service = await startRecorder(accepted);
    const place = placeAt(service, 2);
    const killer = join(place.home, 'killer.cjs');
    writeFileSync(
      killer,
      `const { Socket } = require('node:net');
    Socket.prototype.connect = () => process.kill(process.pid, 'SIGKILL');`,
    );
    const env = { NODE_OPTIONS: `--require=${killer}` };
    expect(await place.run(line, { env })).toMatchObject({ signal: 'SIGKILL' });
    const once = `${line} --idempotency-key once`;
    expect(await place.run(once, { env })).toMatchObject({ signal: 'SIGKILL' });
    expect(service.requests).toEqual([]);
    const refused = await place.run(line);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('2 were mailed today, so 1 more is too many.');
    // The same email again does not count.
    expect(await place.run(once)).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(1);
  },
);

test('a send killed before its response arrives counts', async () => {
  let killed: Started | undefined;
  const service = await startRecorder(() => killed?.kill('SIGKILL'));
  const place = placeAt(service, 1);
  killed = place.start(line);
  expect(await killed).toMatchObject({ signal: 'SIGKILL' });
  expect(await place.run(line)).toMatchObject({ exitCode: 2 });
  expect(service.requests).toHaveLength(1);
});

test('a killed batch counts only the requests that were sent, and is resumed within the limit', async () => {
  let killed: Started | undefined;
  const kill: Answer = () => killed?.kill('SIGKILL');
  const service = await startRecorder(batched, batched, kill, ...Array(9).fill(batched));
  const place = placeAt(service, 900);
  const rows = Array.from({ length: 900 }, (_, row) => `p${row}@example.com`);
  writeFileSync(join(place.home, 'people.csv'), ['to', ...rows, ''].join('\n'));
  const batch = line.replace('send --to ana@example.com', 'batch people.csv --yes');
  killed = place.start(`${batch} --rate 5`);
  expect(await killed).toMatchObject({ signal: 'SIGKILL' });
  const shown = await runHere(place, 'policy show --json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ mailedToday: [{ mailed: 300 }] });
  expect(await place.run(batch)).toMatchObject({ exitCode: 0 });
});
