import { expect, test } from 'vitest';
import { fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

/** What a preview of these rows warns of, with a condition around the text. */
async function warned(condition: string, rows: string, file = 'people.csv'): Promise<string> {
  const world = createWorld();
  fileIn(world, file, rows);
  const { exitCode, stderr } = await world.run([
    ...['email', 'batch', file, '--from', 'hello@example.com', '--subject', 'S', '--sandbox'],
    ...['--text', `Hi {% if ${condition} %}a{% endif %}`, '--yes'],
  ]);
  expect(exitCode).toBe(0);
  return stderr;
}

const rows = 'to,spent,goal\na@example.org,9,100\nb@example.org,100,9\nc@example.org,5,6\n';

test.each([
  ['spent > goal', 'compares texts, not numbers, in rows 1, 2: "9" > "100" is true.'],
  ['spent >= "20"', 'compares texts, not numbers, in rows 1, 2, 3: "9" >= "20" is true.'],
  ['spent == 9', 'compares texts, not numbers, in row 1: "9" == 9 is false.'],
])('a comparison of texts that looks like one of numbers is said: %s', async (condition, said) => {
  expect(await warned(condition, rows)).toContain(`--text: {% if ${condition} %} ${said}`);
});

test('a decimal comma is no number to Liquid', async () => {
  const csv = 'to,spent\na@example.org,"1,5"\n';
  expect(await warned('spent > 1', csv)).toContain('in row 1: "1,5" > 1 is false.');
});

test.each([['spent > 20'], ['spent == "9"'], ['spent != goal']])(
  'what Liquid compares as meant is not: %s',
  async (condition) => {
    expect(await warned(condition, rows)).not.toContain('compares texts');
  },
);

test('numbers of JSON are numbers', async () => {
  const json = '[{"to":"a@example.org","variables":{"spent":9,"goal":100}}]';
  expect(await warned('spent > goal', json, 'people.json')).not.toContain('compares texts');
});
