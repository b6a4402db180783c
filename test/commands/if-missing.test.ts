import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

const book = 'contact book create --name Readers --double-opt-in';

test.each([
  ['contact book list', `${book} off`],
  ['segment list', 'segment create --name Free --book book_customers --where plan=free'],
  ['template list', 'template create --name Offer --subject Hi --html x'],
  ['domain list', 'domain add new.example --region us-east-1'],
])('%s has one more after %s --if-missing, however often it is run', async (list, create) => {
  const { run } = createWorld();
  const ids = async () => (await run(`${list} --sandbox --quiet`)).stdout.trimEnd().split('\n');
  const before = await ids();
  const line = `${create} --if-missing --sandbox`;
  const first = await run(`${line} --quiet`);
  expect(first.exitCode).toBe(0);
  const again = await run(line);
  expect(again.exitCode).toBe(0);
  expect(again.stderr).toMatch(/ exists already\. Nothing was (created|added)\./);
  expect((await run(`${line} --quiet`)).stdout).toBe(first.stdout);
  expect(await ids()).toHaveLength(before.filter((id) => id !== '').length + 1);
});

test('several of the name: 2, with their ids', async () => {
  const { run } = createWorld();
  const made = [];
  for (let count = 0; count < 2; count++) {
    made.push((await run(`${book} off --allow-duplicate --sandbox --quiet`)).stdout.trim());
  }
  const { exitCode, stdout, stderr } = await run(`${book} off --if-missing --sandbox`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('2 contact books are named "Readers":');
  for (const id of made) expect(stderr).toContain(`  ${id}\n`);
});

test('another double opt-in, region or condition: 5, and nothing is created', async () => {
  const { run } = createWorld();
  const segment = 'segment create --name Free --book book_customers --sandbox --where';
  await run(`${book} off --sandbox`);
  await run(`${segment} plan=free`);
  for (const [line, message] of [
    [`${book} on --sandbox`, 'exists, but its double opt-in is off.'],
    [`${segment} plan=pro`, 'exists, but selects plan=free.'],
    ['domain add example.com --region eu-west-1 --sandbox', 'but its region is us-east-1.'],
  ]) {
    const { exitCode, stdout, stderr } = await run(`${line} --if-missing`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toContain(message);
  }
});
