import { expect, test } from 'vitest';
import { accept, refuseNamed } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';

const template = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'];
// The clock stops, except for one second between two requests. The first request asks for the time.
const pace = ['--rate', '1', '--concurrency', '1'];
const line = ['email', 'batch', 'people.csv', ...template, '--yes', ...pace];

async function setUp(requests: number) {
  const setup = await connected(refuseNamed('p7@example.org'), ...Array(requests).fill(accept));
  setup.file('people.csv', peopleCsv(requests * 100));
  return setup;
}

const lines = [
  '1,400 of 4,000, 93/s, about 28 s left, 1 rejected',
  '2,900 of 4,000, 100/s, about 11 s left, 1 rejected',
];

test('where there is no terminal, a line each 15 seconds', async () => {
  const { run } = await setUp(40);
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(11);
  expect(stderr.split('\n').slice(0, 3)).toEqual([...lines, expect.stringMatching(/^Error: /)]);
});

test('the same on a terminal that cannot be drawn on', async () => {
  const { run } = await setUp(40);
  const { stderr } = await run(line, { terminal: 80, env: { TERM: 'dumb' } });
  expect(stderr.split('\n').slice(0, 2)).toEqual(lines);
});

test.each(['--quiet', '--json', '--jsonl'])('no line with %s', async (flag) => {
  const { run } = await setUp(40);
  const { exitCode, stderr } = await run([...line, flag]);
  expect(exitCode).toBe(11);
  expect(stderr).not.toContain(' left');
});

test('a run of less than 15 seconds says nothing on its way', async () => {
  const { run } = await setUp(13);
  const { stderr } = await run(line);
  expect(stderr).toMatch(/^Error: /);
});
