import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, finished } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';

const count = 30;

test('a log that 30 processes write at once, some of them killed, has every command', async () => {
  // Every third request is never answered, so that its process can be killed while it waits.
  const held = new Map<string, () => void>();
  const isHeld = (body: string) => /p\d*[0369]@/.test(body);
  const answer: Answer = (response, { body }) => {
    if (isHeld(body)) held.get(JSON.parse(body).to)?.();
    else response.setHeader('content-type', 'application/json').end('{"emailId":"email_1"}');
  };
  const service = await startRecorder(...Array<Answer>(count).fill(answer));
  const place = createPlace({
    MAILER_API_KEY: 'us_key_1234567890',
    MAILER_BASE_URL: service.baseUrl,
  });
  const state = join(place.home, 'state');
  const outcomes = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const to = `p${index}@example.org`;
      const line = `email send --to ${to} --from a@example.com --subject s --text t`;
      const process = place.start(line, { env: { MAILER_STATE_DIR: state } });
      if (isHeld(`p${index}@`)) {
        const arrived = new Promise<void>((resolve) => held.set(to, resolve));
        await Promise.race([arrived, process]);
        process.kill('SIGKILL');
      }
      return await finished(process);
    }),
  );
  const warned = outcomes.filter(({ stderr }) => stderr.includes('not in the log'));
  expect(warned).toEqual([]);
  const env = { MAILER_STATE_DIR: state };
  const { stdout } = await place.run('log list --json --limit 100', { env });
  const entries: { state: string; requests: number; recipients: number }[] = JSON.parse(stdout);
  expect(entries).toHaveLength(count);
  expect(entries.every(({ requests, recipients }) => requests === 1 && recipients === 1)).toBe(
    true,
  );
  const killed = entries.filter(({ state }) => state === 'unfinished');
  expect(killed).toHaveLength(outcomes.filter(({ signal }) => signal === 'SIGKILL').length);
  expect(killed.length).toBeGreaterThan(5);
  for (let index = 0; index < count; index += 1) {
    const found = await place.run(`log list --to p${index}@example.org --json --fields entry`, {
      env,
    });
    expect(JSON.parse(found.stdout)).toHaveLength(1);
  }
  expect(readdirSync(join(state, 'log')).filter((name) => name.includes('damaged'))).toEqual([]);
});
