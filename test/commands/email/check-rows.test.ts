import { expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { mjmlEmail, withPackages } from '../../support/packages.ts';
import { createWorld } from '../../support/run.ts';

function worldWithRows(count: number, more: readonly string[] = []) {
  const world = createWorld();
  withPackages(world);
  const rows = Array.from({ length: count }, (_, at) => {
    const n = at + 1;
    return `p${n}@example.org,Ana ${n},https://a.example/${n}.png,http://a.example/${n}`;
  });
  fileIn(world, 'people.csv', ['email,name,photo,url', ...rows, ...more].join('\n'));
  return world;
}

const source = `---
subject: Hi {{ name }}
---

Hello {{ name }},

{% if name == "Ana 3" %}
Only for one: <img src="https://a.example/three.png">
{% endif %}

{% for i in (1..3) %}
- [x]({{ url }})
{% endfor %}

![pic]({{ photo }}) [y](https://intranet/{{ name | url_encode }})
`;

test('equal findings of 200 rows are one, with a count, the first rows and the line of the source', async () => {
  const { run, ...world } = worldWithRows(200, ['nonsense,x,local.png,https://a.example']);
  fileIn({ run, ...world }, 'news.md', source);
  const outcome = await run('email check news.md --rows people.csv --json');
  expect(outcome.exitCode).toBe(9);
  const { file, kind, rows, ok, findings } = JSON.parse(outcome.stdout);
  expect({ file, kind, rows, ok }).toEqual({
    file: 'news.md',
    kind: 'email',
    rows: 201,
    ok: false,
  });
  const [http, ...others] = findings;
  expect(http).toEqual({
    ...{ code: 'link-http', severity: 'warning', where: 'html', line: 12, count: 3 },
    ...{ emails: 200, rows: [1, 2, 3], url: 'docs/check.md#link-http' },
    message: '"http://a.example/1" is opened without encryption; use https.',
  });
  const ofThird = others.find(({ code }: { code: string }) => code === 'image-alt');
  expect(ofThird).toMatchObject({ line: 8, emails: 1, rows: [3] });
  // The links of the rows differ: the first ones are told apart, the others are one.
  const intranet = others.filter(({ code }: { code: string }) => code === 'link-private');
  expect(intranet).toHaveLength(11);
  expect(intranet[0]).toMatchObject({ line: 15, emails: 1, rows: [1] });
  expect(intranet.at(-1)).toMatchObject({ emails: 190, rows: [11, 12, 13] });
  expect(others.at(-1)).toMatchObject({
    ...{ code: 'file-invalid', where: 'file', file: 'people.csv', emails: 1, rows: [201] },
    message: 'to: "nonsense" is not an email address',
  });
});

test('on a terminal, a line has the number of rows', async () => {
  const world = worldWithRows(4);
  fileIn(
    world,
    'a.html',
    '<meta name="color-scheme" content="light">\n{{ name }} <a href="{{ url }}">x</a>',
  );
  const { stdout } = await world.run('email check a.html --rows people.csv --no-color', {
    terminal: 80,
  });
  expect(stdout).toBe(
    'a.html:2:12: warning: "http://a.example/1" is opened without encryption; use https. (4 rows: 1, 2, 3, …) [link-http]\n',
  );
});

test('MJML, and an image that a row gives', async () => {
  const world = worldWithRows(2, ['p3@example.org,Ben,img/a.png,https://a.example']);
  fileIn(
    world,
    'a.mjml',
    mjmlEmail
      .replace('<mj-button', '<mj-image alt="" src="{{ photo }}" /><mj-button')
      .replace('{{ color }}', 'red'),
  );
  const { stdout } = await world.run(
    'email check a.mjml --rows people.csv --json --ignore support,dark-mode',
  );
  expect(JSON.parse(stdout).findings).toEqual([
    expect.objectContaining({ code: 'image-source', line: 6, emails: 1, rows: [3] }),
  ]);
});

test('a value that is missing is an error of every row', async () => {
  const world = worldWithRows(3);
  fileIn(world, 'a.txt', 'Hi {{ nmae }}');
  const { stdout, exitCode } = await world.run('email check a.txt --rows people.csv --json');
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout).findings).toEqual([
    expect.objectContaining({ code: 'file-invalid', emails: 3, rows: [1, 2, 3] }),
  ]);
});

test.each([
  '--rows people.csv --campaign a.txt',
  '--rows people.csv a.json',
  'a.txt --map name=url',
])('%s is a usage error', async (words) => {
  const world = worldWithRows(1);
  fileIn(world, 'a.txt', 'Hi');
  fileIn(world, 'a.json', { text: 'Hi' });
  const outcome = await world.run(`email check ${words} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('--');
});
