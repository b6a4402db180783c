import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everybody } from '../../support/batch.ts';
import { emailsIn } from '../../support/batch-service.ts';
import { peopleCsv } from '../../support/people.ts';
import { createPlace, finished, type Started } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';

const rows = 1000;
const line = [
  ...['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--subject', 'Hi {{ name }}'],
  ...['--text', 'Hello', '--yes', '--quiet', '--concurrency', '1'],
];

test('a run that is killed mails nobody twice when its service has another name', async () => {
  const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
  writeFileSync(join(place.home, 'people.csv'), peopleCsv(rows));
  const accepted: string[] = [];
  const known = new Map<unknown, unknown>();
  let target: Started | undefined;
  /** Accepts each request once by its key; the sender of the seventh one is killed before its response. */
  const answer: Answer = (response, request) => {
    const idempotencyKey = request.headers['idempotency-key'];
    if (!known.has(idempotencyKey)) {
      const to = emailsIn(request).map((email) => email.to);
      accepted.push(...to);
      known.set(idempotencyKey, { data: to.map((one) => ({ emailId: `em_${one}` })) });
    }
    if (known.size === 7) target?.kill('SIGKILL');
    response.end(JSON.stringify(known.get(idempotencyKey)));
  };
  const { baseUrl, requests } = await startRecorder(...Array<Answer>(30).fill(answer));
  target = place.start(line, { env: { MAILER_BASE_URL: baseUrl } });
  expect(await finished(target)).toMatchObject({ signal: 'SIGKILL' });
  target = undefined;
  expect(requests).toHaveLength(7);

  const env = { MAILER_BASE_URL: baseUrl.replace('127.0.0.1', 'localhost') };
  const { exitCode, stderr } = await place.run(line, { env });
  expect(exitCode).toBe(2);
  expect(requests).toHaveLength(7);
  const [, resume = ''] = /\nmailer (run resume .*)\n/.exec(stderr) ?? [];
  expect(await place.run(`${resume} --yes`)).toMatchObject({ exitCode: 0 });
  expect(accepted).toEqual(everybody(rows));
});
