import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isEmailList } from '../../support/batch-service.ts';
import { createPlace, finished } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const minutesLater = 120_000;

test('a send that is killed while the service carries it out is found by its key, and not sent again', async () => {
  const created: object[] = [];
  let kill = () => {};
  const answer: Answer = (response, request) => {
    if (isEmailList(request)) {
      const body = JSON.stringify({ data: created, count: created.length });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const { to, ...email } = JSON.parse(request.body);
    created.push({ ...email, id: 'em_1', to: [to], createdAt: new Date().toISOString() });
    kill();
  };
  const service = await startRecorder(...Array(9).fill(answer));
  const place = createPlace({ MAILER_API_KEY: 'us_key_123', MAILER_BASE_URL: service.baseUrl });
  const words = [
    ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
    ...['--subject', 'Hi', '--text', 'Hello', '--idempotency-key', 'order-1', '--json'],
  ];
  const started = place.start(words);
  kill = () => void started.kill('SIGKILL');
  expect((await finished(started)).signal).toBe('SIGKILL');
  const records = join(place.home, '.local', 'state', 'mailer', 'begun');
  expect(readdirSync(records)).toHaveLength(1);

  const later = createWorld(place.env, place.home);
  later.clock.now = Date.now() + minutesLater;
  const { exitCode, stdout } = await later.run(words);
  expect({ exitCode, stdout: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    stdout: { emailId: 'em_1' },
  });
  expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect(readdirSync(records)).toEqual([]);
});
