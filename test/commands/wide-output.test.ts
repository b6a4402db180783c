import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import { listItem } from '../support/emails.ts';

/** Lists two emails on a terminal, one with this subject and one with a short one. */
async function listed(subject: string, terminal: number) {
  const data = [listItem('em_1', { subject }), listItem('em_2', { subject: 'Hello' })];
  const { run } = await connected({ body: { data, count: 2 } });
  const words = ['email', 'list', '--no-color', '--fields', 'id,subject,latestStatus'];
  const { exitCode, stdout } = await run(words, { terminal });
  expect(exitCode).toBe(0);
  return stdout;
}

test('a table is at most 10,000 columns wide, on any terminal', async () => {
  const lines = (await listed('x'.repeat(20_000), 1_000_000)).trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBe(10_000);
  expect(lines[1]).toMatch(/^em_1 {2}x+… {2}DELIVERED$/);
});
