import { describe, expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const rest = '--from hello@example.com --sandbox --dry-run --json';

/** The same values in `email send` and in a row of `email batch`. */
async function both(values: object, texts: readonly string[]) {
  const world = createWorld();
  fileIn(world, 'values.json', JSON.stringify(values));
  fileIn(world, 'rows.json', JSON.stringify([{ to: 'a@example.org', variables: values }]));
  const one = ['email', 'send', '--to', 'a@example.org', '--vars-file', 'values.json'];
  const words = [...rest.split(' '), ...texts];
  return [
    await world.run([...one, ...words]),
    await world.run(['email', 'batch', 'rows.json', ...words]),
  ];
}

const texts = (text: string) => ['--subject', 'Hi', '--text', text];

describe('a value that is none', () => {
  test.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ user: { name: null } }, 'user.name'],
    [{ user: { name: '' } }, 'user.name'],
    [{ user: { name: ' \n' } }, 'user.name'],
    [{ user: null }, 'user.name'],
    [{ user: { names: [null] } }, 'user.names[0]'],
  ])('%j stops where a text needs it', async (values, name) => {
    for (const output of [name, `${name} | upcase`, `${name} | url_encode`]) {
      for (const outcome of await both(
        { ...values, x: 1 },
        texts(`Dear {{ ${output} }} {{ x }}`),
      )) {
        expect({ output, exitCode: outcome.exitCode }).toEqual({ output, exitCode: 2 });
        expect(errorOf(outcome).message).toMatch(/--text: no value for \S+, and no default/);
      }
    }
    // What the hint of the first error says.
    for (const standIn of ['"friend"', '""']) {
      const text = `Dear {{ ${name} | default: ${standIn} }} {{ x }}`;
      for (const { exitCode } of await both({ ...values, x: 1 }, texts(text)))
        expect(exitCode).toBe(0);
    }
  });

  test.each([
    '{% for i in items %}{{ i.n }}: {{ i.p }}{% endfor %}',
    '{% for i in tags %}{{ i }}{% endfor %}',
    '{% for f in items[0] %}{{ f[0] }}: {{ f[1] }}{% endfor %}',
    '{% for i in none %}{{ i }}{% endfor %}',
    '{% assign price = items[0].p %}{{ price }}',
    '{{ tags | last }}',
  ])('in %s, too', async (text) => {
    const values = { items: [{ n: 'Tea', p: null }], tags: ['a', null], none: null };
    for (const outcome of await both(values, texts(text))) {
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toMatch(/--text: .*no value/);
    }
  });

  test('the hint names the default, and a name that is misspelt the right one', async () => {
    const [one] = await both({ name: '' }, texts('Dear {{ name }}'));
    expect(errorOf(one ?? expect.fail()).hint).toBe(
      'Nothing was sent. If there may be no value: {{ name | default: "friend" }}, or default: "" for nothing.',
    );
  });

  test('an empty --var is one, also in HTML and Markdown', async () => {
    const world = createWorld();
    fileIn(world, 'hi.md', 'Dear {{ name }}');
    const send = `email send --to a@example.org ${rest} --subject Hi --var name=`;
    for (const body of [
      ['--html', '<p>Dear {{ name }}</p>'],
      ['--markdown-file', 'hi.md'],
    ]) {
      const outcome = await world.run([...send.split(' '), ...body]);
      expect(errorOf(outcome).message).toMatch(/: no value for name, and no default$/);
    }
  });
});

describe('what is sent', () => {
  test.each([
    ['{% if user.name %}Dear {{ user.name }}{% else %}Dear all{% endif %}', 'Dear all'],
    ['{% if user.name != "" %}Dear {{ user.name }}{% else %}Dear all{% endif %}', 'Dear all'],
    ['{% if user.name == "" %}Dear all{% endif %}', 'Dear all'],
    ['{% if user.name == empty %}Dear all{% endif %}', 'Dear all'],
    ['{% if user.name != blank %}Dear {{ user.name }}{% endif %}x', 'x'],
    ['{% if name == "" %}Dear all{% endif %}', 'Dear all'],
    ['{% unless name == "" %}Dear {{ name }}{% endunless %}x', 'x'],
    ['{% if zero == "" %}none{% else %}{{ zero }}{{ no }}{% endif %}', '0false'],
    ['{% assign n = user.name | default: "" %}x{{ n }}', 'x'],
    [
      '{% assign sep = "" %}{% for t in tags %}{{ sep }}{{ t }}{% assign sep = ", " %}{% endfor %}',
      'a, b',
    ],
    ['{% assign all = lines | split: "," %}{% for l in all %}{{ l }};{% endfor %}', 'a;;b;'],
    ['{% for t in nothing %}{{ t }}{% endfor %}x', 'x'],
    ['{% capture c %}{% endcapture %}x{{ c }}{{ zero }}', 'x0'],
    ['{{ lines | remove: lines }}x', 'x'],
  ])('%s', async (text, sent) => {
    const values = {
      ...{ name: '', user: { name: '' }, tags: ['a', 'b'], lines: 'a,,b', nothing: [] },
      ...{ zero: 0, no: false },
    };
    for (const { exitCode, stdout, stderr } of await both(values, texts(text))) {
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(JSON.stringify(JSON.parse(stdout))).toContain(`"text":${JSON.stringify(sent)}`);
    }
  });
});
