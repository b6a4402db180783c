import { expect, test } from 'vitest';
import { batchLine, everybody, expectResults, writePeople } from '../../support/batch.ts';
import { emailsIn } from '../../support/batch-service.ts';
import { createPlace, finished, type Started } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';

const rows = 500;

test('a batch that is killed in the middle, and resumed, sends each row exactly once', async () => {
  const accepted: string[] = [];
  const known = new Map<unknown, string>();
  let target: Started | undefined;
  /** Accepts each request once by its key; the sender of the third one is killed before its response. */
  const answer: Answer = (response, request) => {
    const key = request.headers['idempotency-key'];
    if (!known.has(key)) {
      const to = emailsIn(request).map((email) => email.to);
      accepted.push(...to);
      known.set(key, JSON.stringify({ data: to.map((one) => ({ emailId: `em_${one}` })) }));
      if (known.size === 3) target?.kill('SIGKILL');
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(known.get(key));
  };
  const service = await startRecorder(...Array<Answer>(20).fill(answer));
  const place = createPlace({
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: service.baseUrl,
  });
  writePeople(place, rows);
  const line = [...batchLine, '--concurrency', '1', '--results', 'results.jsonl', '--quiet'];
  target = place.start(line);
  expect(await finished(target)).toMatchObject({ signal: 'SIGKILL' });
  expect(accepted).toHaveLength(300);

  const { exitCode, stderr } = await place.run('run resume @last --yes --quiet');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(accepted).toEqual(everybody(rows));
  expectResults(
    place,
    everybody(rows).map((to) => ({ id: `em_${to}`, to })),
  );
});
