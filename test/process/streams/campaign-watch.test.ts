import { expect, test } from 'vitest';
import { summary } from '../../commands/campaign/draft.ts';
import { held } from '../../support/held.ts';
import { createPlace, finished } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const id = 'cm3k9x2f8000008l4';
const watch = `campaign watch ${id} --interval`;
const running = { status: 'RUNNING', total: 10_000, sent: 6120 };

/** A user of a service with a campaign that moves when the test says so. */
async function user() {
  const { answer, comes } = held((response) => {
    response.end(JSON.stringify(summary(id, { ...running, sent: 7000 })));
  });
  const service = await startRecorder({ body: summary(id, running) }, answer);
  const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
  return { place: createPlace(env), comes };
}

test('campaign watch | head -1 ends quietly, with the next line', async () => {
  const { place, comes } = await user();
  const started = place.shell(`mailer ${watch} 50ms | head -1; echo "\${PIPESTATUS[@]}"`);
  started.stdout.once('data', comes);
  const { stdout, stderr } = await finished(started);
  expect({ stdout, stderr }).toEqual({
    stdout: expect.stringMatching(/^time\tstatus\tscheduledAt\t.*\n0 0\n$/),
    stderr: '',
  });
});

test.each([
  ['SIGINT', 130, /^$/],
  ['SIGTERM', 143, /^Error: Terminated\.\nHint: .* To keep watching: mailer campaign watch /],
] as const)('%s ends campaign watch during a pause, with %d', async (signal, exitCode, said) => {
  const { place } = await user();
  const started = place.start(`${watch} 1h`);
  await new Promise((resolve) => started.stdout.once('data', resolve));
  started.kill(signal);
  const stderr = expect.stringMatching(said);
  expect(await finished(started)).toMatchObject({ exitCode, stderr });
});
