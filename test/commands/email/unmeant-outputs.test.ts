import { describe, expect, test } from 'vitest';
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

describe('a value that Liquid writes as nobody would', () => {
  const values = { list: ['a', 'b'], thing: { x: 1 }, count: 5 };
  const vars = '--vars-file vars.json --text x --sandbox --json --dry-run';
  const one = `email send --from a@example.com --to b@example.org ${vars} --subject`;
  const many =
    'email batch rows.json --from a@example.com --text x --sandbox --json --dry-run --subject';

  async function subjectOf(line: string, output: string) {
    const world = createWorld();
    fileIn(world, 'rows.json', [{ to: 'b@example.org', variables: values }]);
    fileIn(world, 'vars.json', values);
    const subject = `${output}{% if false %}{{ list }}{{ thing }}{{ count }}{% endif %}`;
    return await world.run([...line.split(' '), subject]);
  }

  test.each([
    ['{{ list }}', '{{ list }} writes a list'],
    ['{{ list | raw }}', '{{ list | raw }} writes a list'],
    ['{{ thing }}', '{{ thing }} writes an object'],
    ['{% echo thing %}', '{% echo thing %} writes an object'],
    ['{{ count | divided_by: 0 }}', '{{ count | divided_by: 0 }} writes Infinity'],
    ['{{ count | modulo: 0 }}', '{{ count | modulo: 0 }} writes NaN'],
  ])('is an error for one email and for a row: %s', async (output, problem) => {
    for (const line of [one, many]) {
      const outcome = await subjectOf(line, output);
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toContain(`--subject: ${problem}`);
      if (line === many) expect(errorOf(outcome).message).toContain('row 1');
    }
  });

  test.each([
    ['{{ list | join: "+" }}', 'a+b'],
    ['{{ thing.x }}', '1'],
    ['{{ count }}', '5'],
  ])('is none where it is chosen: %s', async (output, written) => {
    for (const line of [one, many]) {
      const { stdout } = await subjectOf(line, output);
      expect(stdout).toContain(`"subject":"${written}"`);
    }
  });
});

describe('a tag that asks for a value of --var', () => {
  const sendWith = async (text: string, ...flags: string[]) =>
    await createWorld().run([
      ...'email send --from a@example.com --to b@example.org --subject Hi'.split(' '),
      ...['--sandbox', '--dry-run', '--json', '--text', text, ...flags],
    ]);

  test.each(['false', 'no', '0', 'Nein'])('is true for the text %s: an error', async (value) => {
    const outcome = await sendWith('Hi{% if vip %} VIP{% endif %}', '--var', `vip=${value}`);
    expect(outcome.exitCode).toBe(2);
    const { message, hint } = errorOf(outcome);
    expect(message).toContain(
      `--text: {% if vip %} is true for any text that is not empty, such as "${value}" in vip`,
    );
    expect(hint).toContain('vip == "true"');
  });

  test.each([
    ['{% if vip == true %}YES{% else %}NO{% endif %}', 'vip == "true"'],
    ['{% if vip != false %}YES{% endif %}', 'vip == "true"'],
    ['{% case vip %}{% when true %}YES{% endcase %}', '{% when "true" %}'],
  ])('compares no text with true or false: %s', async (text, compare) => {
    for (const literal of ['true', 'false']) {
      const other = text.replace(/true|false/, literal);
      const outcome = await sendWith(`Hi ${other}`, '--var', 'vip=true');
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toContain(
        `compares with ${literal}, which equals no text, such as "true" in vip`,
      );
      expect(errorOf(outcome).hint).toContain(compare.replace('true', literal));
    }
  });

  test('is an error if there is none, and names what is misspelt', async () => {
    const outcome = await sendWith('Hi {{ name }}{% if vip %} VIP{% endif %}', '--var', 'name=Ana');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(
      '--text: there is no value for "vip", as in {% if vip %}',
    );
    expect(errorOf(outcome).hint).toContain('{% assign vip = nil %}');
    const misspelt = await sendWith('Hi{% if vip %} VIP{% endif %}', '--var', 'vpi=yes');
    expect(errorOf(misspelt).message).toContain('did you mean --var vip=yes?');
  });

  test('may be answered with a text, or with nil', async () => {
    const text = 'Hi{% if vip == "true" %} VIP{% endif %}';
    expect((await sendWith(text, '--var', 'vip=false')).exitCode).toBe(0);
    const assigned = '{% assign old = nil %}{% if old %}x{% endif %}{{ name }}';
    expect((await sendWith(assigned, '--var', 'name=Ana')).exitCode).toBe(0);
  });
});
