import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import { listItem } from '../support/emails.ts';
import { growth } from '../support/growth.ts';

const times = 8;
/** Halfway between linear and quadratic, on a logarithmic scale. */
const tooMuch = times ** 1.5;

/** Lists two emails on a terminal, one with this subject and one with a short one. */
async function listed(subject: string, terminal: number, fields = 'id,subject,latestStatus') {
  const data = [listItem('em_1', { subject }), listItem('em_2', { subject: 'Hello' })];
  const { run } = await connected({ body: { data, count: 2 } });
  const words = ['email', 'list', '--no-color', '--fields', fields];
  const { exitCode, stdout } = await run(words, { terminal });
  expect(exitCode).toBe(0);
  return stdout;
}

test('the time for a table grows linearly with the length of a subject', async () => {
  expect(await growth((size) => listed('語'.repeat(size), 80), 3000, times)).toBeLessThan(tooMuch);
});

test('… with the columns of a terminal', async () => {
  const work = (size: number) => listed('x'.repeat(size), size);
  expect(await growth(work, 3000, times)).toBeLessThan(tooMuch);
});

test('… with the number of fields', async () => {
  const work = (size: number) => listed('Hello '.repeat(6), 80, Array(size).fill('subject').join());
  expect(await growth(work, 250, times)).toBeLessThan(tooMuch);
});

test('a table is at most 10,000 columns wide, on any terminal', async () => {
  const lines = (await listed('x'.repeat(20_000), 1_000_000)).trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBe(10_000);
  expect(lines[1]).toMatch(/^em_1 {2}x+… {2}DELIVERED$/);
});
