import { expect, test } from 'vitest';
import { email, hour } from '../harness.ts';
import { dataOf, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

test('figures are those of the emails that were sent', async () => {
  const { client, advance } = await withClient();
  dataOf(await client.emails.send({ ...email(), to: 'bounced@example.org' }));
  advance(hour);
  const { result, totalCounts } = dataOf(await client.analytics.emailTimeSeries({ days: '7' }));
  expect(result.map(({ date }) => date)).toEqual([
    ...['Jan 24', 'Jan 25', 'Jan 26', 'Jan 27', 'Jan 28', 'Jan 29', 'Jan 30', 'Jan 31'],
  ]);
  expect(result.at(-1)).toMatchObject({ sent: 2, delivered: 1, bounced: 1, complained: 0 });
  expect(totalCounts).toMatchObject({ sent: 3, delivered: 2, opened: 1, clicked: 0, bounced: 1 });
  expect(dataOf(await client.analytics.reputationMetrics())).toEqual({
    ...{ delivered: 2, hardBounced: 1, complained: 0, bounceRate: 50, complaintRate: 0 },
  });
});

testThatAllWereRun('analytics');
