import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accept } from '../../support/batch-service.ts';
import { runHere } from '../../support/here.ts';
import { needing, ofNode } from '../../support/needs.ts';
import { peopleCsv } from '../../support/people.ts';
import { createPlace, type Place } from '../../support/process.ts';
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

/** The environment of a program that runs this script first. */
function withScript({ home }: Place, script: string) {
  writeFileSync(join(home, 'script.cjs'), script);
  return { NODE_OPTIONS: `--require=${join(home, 'script.cjs')}` };
}

test('of concurrent processes, no more send than the daily limit', async () => {
  const service = await startRecorder(accepted, accepted, accepted);
  const place = placeAt(service, 1);
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => place.run(line)));
  expect(outcomes.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2, 2]);
  expect(service.requests).toHaveLength(1);
});

test(
  'a batch killed as soon as a request was counted does not count it again when it is resumed',
  needing(ofNode),
  async () => {
    const service = await startRecorder(accept, accept, accept);
    const place = placeAt(service, 300);
    const env = withScript(
      place,
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
    writeFileSync(join(place.home, 'people.csv'), peopleCsv(300));
    const batch = line.replace('send --to ana@example.com', 'batch people.csv --yes');
    const killed = await place.run(`${batch} --concurrency 1`, { env });
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    expect(service.requests).toHaveLength(1);
    // As many as the limit.
    expect(await runHere(place, batch)).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(3);
  },
);

test(
  'what is killed after it was counted, and before it is sent, counts once',
  needing(ofNode),
  async () => {
    const service = await startRecorder(accepted);
    const place = placeAt(service, 1);
    const env = withScript(
      place,
      `const { Socket } = require('node:net');
      Socket.prototype.connect = () => process.kill(process.pid, 'SIGKILL');`,
    );
    const once = `${line} --idempotency-key once`;
    expect(await place.run(once, { env })).toMatchObject({ signal: 'SIGKILL' });
    expect(service.requests).toEqual([]);
    const refused = await runHere(place, line);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('1 was mailed today, so 1 more is too many.');
    // The same email again does not count.
    expect(await runHere(place, once)).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(1);
  },
);
