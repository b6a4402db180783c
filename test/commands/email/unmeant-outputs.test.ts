import { expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const send =
  'email send --from hello@example.com --to a@example.org --subject Hi --var name=Ana --sandbox --dry-run --json';
const batch =
  'email batch rows.csv --from hello@example.com --subject Hi --sandbox --dry-run --json';

async function run(line: string, flags: readonly string[]) {
  const world = createWorld();
  fileIn(world, 'rows.csv', 'to,name\na@example.org,Ana\n');
  fileIn(world, 'news.md', flags[1] ?? '');
  return await world.run([...line.split(' '), ...flags]);
}

const bodies = (text: string) => [
  ['--text', text],
  ['--html', `<p>${text}</p>`],
  ['--markdown-file', 'news.md', '--text', text],
];

test.each([
  ['{{ "name" }}', /\{\{ "name" \}\} writes "name", not its value, which is \{\{ name \}\}/],
  ["{{ 'name' | upcase }}", /writes "name", not its value/],
  ['{{ name or "friend" }}', /\{\{ name or "friend" \}\} writes true or false/],
  ['{{ name and "x" }}', /writes true or false/],
  ['{{ name == "Ana" }}', /writes true or false/],
])('%s is an error, for one email and in a batch', async (text, message) => {
  for (const line of [send, batch]) {
    for (const flags of bodies(`Hello ${text} {{ name }}`)) {
      const outcome = await run(line, flags);
      expect({ flags, exitCode: outcome.exitCode }).toEqual({ flags, exitCode: 2 });
      expect(errorOf(outcome).message).toMatch(message);
    }
  }
});

test('the hint writes the default, and says once that nothing was sent', async () => {
  for (const line of [send, batch]) {
    const { hint = '' } = errorOf(await run(line, ['--text', '{{ name or "friend" }}']));
    expect(hint).toContain('{{ name | default: "friend" }}');
    // One email says it with every error of its templates.
    const said = String(hint).split('Nothing was sent.').length - 1;
    expect(said).toBe(line === send ? 1 : 0);
  }
});

test.each([
  'Hello {{ "friend" }} {{ name }}',
  '{{ name | default: "this or that" }}',
  '{{ name | append: " > " }}',
  '{% raw %}{{ name or "x" }}{% endraw %}{{ name }}',
  '{% if name == "Ana" or name == "Ben" %}{{ name }}{% endif %}',
  '{{ name | replace: "a == b", "x" }}',
])('%s is sent', async (text) => {
  for (const line of [send, batch]) {
    expect(await run(line, ['--html', `<p>${text}</p>`])).toMatchObject({ exitCode: 0 });
  }
});
