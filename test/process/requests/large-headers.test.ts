import { expect, test } from 'vitest';
import { repeat } from '../../support/batch-run.ts';
import { needing, ofNode } from '../../support/needs.ts';
import { createPlace } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

test('the size of headers that Node is given applies', needing(ofNode), async () => {
  const { baseUrl } = await startRecorder(
    ...repeat(2, { headers: { 'x-long': 'x'.repeat(20_000) }, body: [] }),
  );
  const env = { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: baseUrl };
  const place = createPlace();
  const words = ['domain', 'list', '--json', '--retries', '0'];
  const refused = await place.run(words, { env });
  expect(refused).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining('Header overflow'),
  });
  const given = { ...env, NODE_OPTIONS: '--max-http-header-size=65536' };
  expect(await place.run(words, { env: given })).toMatchObject({ exitCode: 0, stderr: '' });
});
