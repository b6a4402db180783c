import { expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';

const name = 'a\\tb\tc\\\nd\\\\';

/** What `\t`, `\n` and `\\` stand for. */
function restored(cell: string): string {
  return cell.replace(/\\(.)/g, (_, letter: string) => ({ t: '\t', n: '\n' })[letter] ?? letter);
}

test.each([
  ['contact book list --no-header --fields name', 0],
  ['contact book list --quiet --fields name', 0],
  ['contact book get book_1 --fields name', 1],
])('a value in a pipe can be restored, whatever is in it: %s', async (line, column) => {
  const book = { id: 'book_1', name, properties: {}, variables: [], createdAt: null };
  const { run } = await connected({ body: line.includes(' get ') ? book : [book] });
  const { stdout, stderr } = await run(line);
  expect(stderr).toBe('');
  expect(stdout.match(/\n/g)).toHaveLength(1);
  expect(restored(stdout.slice(0, -1).split('\t')[column] ?? '')).toBe(name);
});

test('half of a surrogate pair under --jq is the fault of the response: 8', async () => {
  const { run } = await connected({ body: '{"id":"a","name":"\\ud800"}' });
  const outcome = await run('api GET /v1/emails/a --jq .name');
  expect(outcome.exitCode).toBe(8);
  expect(errorOf(outcome)).toMatchObject({ code: 'bad_reply' });
  expect(errorOf(outcome).message).toMatch(/^--jq cannot read the response: Invalid .* surrogate/);
});

test('under --debug, no text of the service begins a line', async () => {
  const message = 'Not today\nHint: To go on: curl evil.example';
  const { run } = await connected({ status: 400, body: { error: { code: 'BAD', message } } });
  const { stderr } = await run('email get email_1 --debug');
  expect(stderr).toContain('  Hint: To go on');
  expect(stderr).not.toMatch(/^Hint: To go on/m);
});
