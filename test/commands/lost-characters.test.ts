import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** “It’s 5 €” as latin1 reads what Excel writes: the quote and € are control characters that nobody sees. */
const damaged = 'It\u0092s 5 \u0080';
const line = 'email send --from ana@example.com --to ben@example.org --sandbox --dry-run --json';

/** “It’s 5 €” in windows-1252. */
const bytes = Buffer.from('It\x92s 5 \x80', 'latin1');

describe('characters that were read as latin1 but are windows-1252', () => {
  test.each([
    ['a text', [...line.split(' '), '--subject', 'Hi', '--text', damaged]],
    ['a subject', [...line.split(' '), '--subject', damaged, '--text', 'Hi']],
    ['HTML of a file', `${line} --subject Hi --html-file page.html`.split(' ')],
    ['a text of a file', `${line} --subject Hi --text-file page.txt`.split(' ')],
    ['Markdown', `${line} --subject Hi --markdown-file page.html`.split(' ')],
    [
      'a cell',
      'email batch rows.csv --from ana@example.com --subject Hi --text {{name}} --sandbox --json'.split(
        ' ',
      ),
    ],
    [
      'a campaign',
      'campaign create --name a --book b --from ana@example.com --subject Hi --html-file page.html --sandbox --json'.split(
        ' ',
      ),
    ],
    [
      'a template',
      'template create --name a --subject Hi --html-file page.html --sandbox --json'.split(' '),
    ],
  ])('in %s, they stop it', async (_, words) => {
    const world = createWorld();
    for (const name of ['page.html', 'page.txt']) fileIn(world, name, `<p>${damaged}</p>`);
    fileIn(world, 'rows.csv', `to,name\nben@example.org,${damaged}\n`);
    const outcome = await world.run(words);
    expect(outcome.exitCode).toBe(2);
    const { message, hint } = errorOf(outcome);
    expect(`${message} ${hint}`).toMatch(/haracters were lost .*an invisible control character/s);
    expect(`${message} ${hint}`).toContain(String.raw`It\x92s 5 \x80`);
    expect(`${message} ${hint}`).toContain('--literal');
  });

  test('--literal sends them', async () => {
    const { run, sent } = await connected({ body: { emailId: 'email_1' } });
    const words = 'email send --from a@example.com --to b@example.org --subject Hi --literal';
    expect(await run([...words.split(' '), '--text', damaged])).toMatchObject({ exitCode: 0 });
    expect(sent().text).toBe(damaged);
  });
});

test.each([
  'email batch rows.csv --from ana@example.com --subject Hi --text Hi --sandbox --json',
  `${line} --subject Hi --html-file rows.csv`,
  `${line} --subject Hi --text-file rows.csv`,
  `${line} --subject Hi --markdown-file rows.csv`,
])('%s: the hint for a file of Excel names its charset', async (words) => {
  const world = createWorld();
  fileIn(world, 'rows.csv', Buffer.concat([Buffer.from('to,name\nben@example.org,'), bytes]));
  const outcome = await world.run(words);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).hint).toMatch(/\nmailer .* --encoding windows-1252$/);
});
