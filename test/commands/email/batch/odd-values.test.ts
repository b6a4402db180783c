import { expect, test } from 'vitest';
import { fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const batch = 'email batch p.csv --from news@example.com --sandbox --preview 9';

test('a value that changes the link that it is in is said, with the filter that settles it', async () => {
  const world = createWorld();
  const link = (email: string) =>
    `<p><a href="https://example.com/unsubscribe?email=${email}&name={{ name | url_encode }}">Unsubscribe</a></p>`;
  fileIn(world, 'p.csv', 'email,name\nana+news@example.org,Tom & Co\nben@example.org,Ben\n');
  fileIn(world, 'p.html', link('{{ email }}'));
  const words = `${batch} --subject Hi --html-file p.html`;
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    '  row 1, html, line 1: "ana+news@example.org"; write {{ email | url_encode }}\n',
  );
  const check = await world.run('email check p.html --rows p.csv --json');
  expect(JSON.parse(check.stdout).findings).toContainEqual(
    expect.objectContaining({ code: 'link-value', severity: 'warning', emails: 1, rows: [1] }),
  );
  fileIn(world, 'p.html', link('{{ email | url_encode }}'));
  expect((await world.run(words)).stderr).not.toContain('url_encode');
});

test.each(['nan', 'N/A', 'n/a', 'null', '-', '–', '#REF!', '#DIV/0!'])(
  '%s for a name is said',
  async (name) => {
    const world = createWorld();
    fileIn(world, 'p.csv', `email,name\nana@example.org,Ana\nben@example.org,${name}\n`);
    const { stderr } = await world.run([
      ...batch.split(' '),
      '--subject',
      'Hi {{ name }}',
      '--text',
      'x',
    ]);
    expect(stderr).toContain(`"name" is a text such as "${name}" in row 2. It is sent as it is.`);
  },
);

test('so are blanks around a name, but not names such as Nan and Nil', async () => {
  const world = createWorld();
  fileIn(
    world,
    'p.csv',
    'email,name\na@example.org," Ana "\nb@example.org,Nan\nc@example.org,Nil\n',
  );
  const words = batch.split(' ');
  const { stderr } = await world.run([...words, '--subject', 'Hi {{ name }},', '--text', 'x']);
  expect(stderr).toContain('"name" has blanks around it, as in " Ana " in row 1.');
  expect(stderr).not.toContain('is a text such as');
});

test('a number that nobody would write is said once', async () => {
  const world = createWorld();
  fileIn(world, 'p.csv', 'email,price\nana@example.org,26.50\nben@example.org,26.50\n');
  const text = ['--subject', 'Hi', '--text', '{{ price | times: 1.1 }}'];
  const { stderr } = await world.run([...batch.split(' '), ...text]);
  expect(stderr.match(/29\.150000000000002/g)).toHaveLength(1);
  expect(stderr).toContain('{{ price | times: 1.1 | round: 2 }}');
  const rounded = text.map((one) => one.replace('1.1 }}', '1.1 | round: 2 }}'));
  expect((await world.run([...batch.split(' '), ...rounded])).stderr).not.toContain('Warning');
});

test.each([
  ['4.50012E+11', true],
  ['4,50012E+11', true],
  ['1.2E+03', true],
  ['E+11', false],
  ['2E5', false],
  ['450012345678', false],
  ['Model 4.5E+11', false],
])('%s as a long number that a spreadsheet has shortened: %s', async (order, stops) => {
  const world = createWorld();
  fileIn(world, 'p.csv', `email;order\nana@example.org;${order}\n`);
  const texts = ['--subject', 'Order', '--text', 'Your order {{ order }}'];
  const words = [...batch.split(' '), ...texts];
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(stops ? 2 : 0);
  expect(stderr.includes(`"order" was shortened by a spreadsheet, as in "${order}"`)).toBe(stops);
  expect(await world.run([...words, '--literal'])).toMatchObject({ exitCode: 0 });
  const unused = texts.map((one) => one.replace(' {{ order }}', ''));
  expect(await world.run([...batch.split(' '), ...unused])).toMatchObject({ exitCode: 0 });
});

test('a text that a spreadsheet keeps by a formula is that text', async () => {
  const world = createWorld();
  const preview = async (csv: string) => {
    fileIn(world, 'p.csv', csv);
    const text = ['--text', '{{ code }}', '--subject', 'Hi', '--fields', 'to,text', '--no-header'];
    return (await world.run([...batch.split(' '), ...text])).stdout;
  };
  const kept = (text: string) => `"=""${text}"""`;
  expect(await preview(`email,code\nana@example.org,${kept('00123')}\n`)).toBe(
    'ana@example.org\t00123\n',
  );
  expect(
    await preview(`${kept('email')},${kept('code')}\n${kept('ana@example.org')},${kept('1')}\n`),
  ).toBe('ana@example.org\t1\n');
  expect(await preview('email,code\nana@example.org,"=""a""&""b"""\n')).toContain('="a"&"b"');
});

test.each([
  ['A/B#1?x=1', '{{ v }}/open', '{{ v | url_encode }}'],
  ['A/B', '{{ v }}/open', '{{ v | url_encode }}'],
  ['100 %', 'to/{{ v }}', '{{ v | url_encode | replace: "+", "%20" }}'],
  ['Ana Smith', '{{ v }}', '{{ v | url_encode | replace: "+", "%20" }}'],
])('%s in the path of a link, %s, is said', async (value, path, settled) => {
  const world = createWorld();
  const withPath = async (written: string) => {
    fileIn(world, 'p.csv', `email,v\nana@example.org,${value}\n`);
    const url = `https://example.com/u/${written}`;
    const bodies = [
      ['--text', `Open ${url}`],
      ['--html', `<p><a href="${url}">Open</a></p>`],
    ];
    const runs = bodies.map((body) => world.run([...batch.split(' '), '--subject', 'Hi', ...body]));
    return (await Promise.all(runs)).map(({ stderr }) => stderr);
  };
  for (const said of await withPath(path)) expect(said).toContain(`"${value}"; write ${settled}`);
  for (const said of await withPath(path.replace('{{ v }}', settled))) {
    expect(said).not.toContain('Warning');
  }
});

test.each([
  ['blog/2026/hello', 'https://example.com/{{ v }}'],
  ['blog?page=2#top', 'https://example.com/{{ v }}'],
  ['https://example.com/a/b', '{{ v }}/open'],
  ['a-b_c.d', 'https://example.com/{{ v }}/open'],
  ['A%20B', 'https://example.com/{{ v }}/open'],
  ['Ana Smith', 'https://example.com/ {{ v }}'],
  ['Tea / Coffee', 'https://example.com/?a=1 for {{ v }}/day'],
])('%s in %s is not', async (value, text) => {
  const world = createWorld();
  fileIn(world, 'p.csv', `email,v\nana@example.org,${value}\n`);
  const { exitCode, stderr } = await world.run([
    ...[...batch.split(' '), '--subject', 'Hi', '--text', text],
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.not.stringContaining('url_encode'),
  });
});
