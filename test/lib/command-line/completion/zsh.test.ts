import { expect, test } from 'vitest';
import { startRecorder } from '../../../support/recorder.ts';
import { worldWith } from '../../../support/stored-profiles.ts';

test('each value has its line of the list, aligned for characters of any width', async () => {
  const names = ['日本語', 'abcdefgh', 'a b'];
  const campaigns = names.map((name, index) => ({ id: `c${index}`, name, status: 'DRAFT' }));
  const service = await startRecorder({ body: { campaigns } });
  const profile = { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890' };
  const world = await worldWith({ work: profile }, 'work');
  const { stdout } = await world.run(['__complete', 'zsh', '80', 'campaign', 'get', '']);
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    '日本語\t日本語    -- DRAFT',
    'abcdefgh\tabcdefgh  -- DRAFT',
    'a b\ta b       -- DRAFT',
  ]);
});
