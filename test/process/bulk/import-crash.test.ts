import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startContactService } from '../../support/contact-service.ts';
import { createPlace, finished, type Started } from '../../support/process.ts';
import { pick, seeded } from '../../support/seeded.ts';

/** The full matrix (`scripts/ci/matrix.js`) tries twenty thousand, which takes four times as long. */
const isWhole = process.env.MAILER_TEST_WHOLE === '1';
const people = isWhole ? 20_000 : 2000;
const kills = isWhole ? 20 : 8;

const line = [
  ...['contact', 'import', 'people.csv', '--book', 'Customers', '--yes', '--allow-http'],
  ...['--wait-timeout', '1s', '--results', 'results.jsonl', '--retries', '1'],
];

/** Where the process is killed: at a request, before or after the service has it, or at any time. */
const moments = ['before it arrives', 'before its response', 'at any time'] as const;

test(`killed ${kills} times and resumed, an import asks everybody once`, async () => {
  const random = seeded(7);
  const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
  const service = await startContactService({
    doubleOptIn: true,
    perMillisecond: people / 2000,
  });
  const env = { MAILER_BASE_URL: service.baseUrl };
  const emails = Array.from({ length: people }, (_, index) => `p${index}@example.org`);
  const rows = emails.map((email, index) => `${email},Person ${index},pro`);
  writeFileSync(join(place.home, 'people.csv'), ['email,first name,plan', ...rows].join('\n'));
  let aim: { readonly at: number; readonly target: Started; readonly arrives: boolean } | undefined;
  let requests = 0;
  service.state.treat = () => {
    requests++;
    if (aim === undefined || requests < aim.at) return 'answered';
    const { target, arrives } = aim;
    aim = undefined;
    target.kill('SIGKILL');
    return arrives ? 'answer lost' : 'never arrived';
  };
  let killed = 0;
  for (let turn = 0; killed < kills && turn < 4 * kills; turn++) {
    const run = place.start(line, { env });
    const moment = pick(random, moments);
    if (moment === 'at any time') {
      void pause(300 + random() * 600).then(() => run.kill('SIGKILL'));
    } else {
      // Most requests of a run are reads; those that send come first.
      const at = requests + 2 + Math.floor(random() * (isWhole ? 12 : 4));
      aim = { at, target: run, arrives: moment === 'before its response' };
    }
    const { signal, exitCode } = await finished(run);
    aim = undefined;
    if (signal === 'SIGKILL') killed++;
    else expect([0, 10, 11]).toContain(exitCode);
  }
  expect(killed).toBe(kills);

  service.drain();
  const last = await place.run([...line, '--resend-unknown'], { env });
  expect(last).toMatchObject({ exitCode: 0 });
  expect(emails.filter((email) => service.confirmations.get(email) !== 1)).toEqual([]);
  for (const [index, email] of emails.entries()) {
    expect(service.contacts.get(email)).toMatchObject({ firstName: `Person ${index}` });
  }
  const results = readFileSync(join(place.home, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  expect(results).toHaveLength(people);
  // Nothing is left to do.
  const again = await place.run([...line, '--json'], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, changed: 0, unchanged: people });
}, 300_000);
