import { expect, test } from 'vitest';
import { repeat } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import { connected, fileIn } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';

const template = {
  body: {
    id: 'tmpl_1',
    name: 'Offer',
    subject: 'Hi {{name}}',
    html: '<p>{{name}}, {{plan,fallback=Free}}</p>',
  },
};
/** A sandbox with such a template, and its id. */
async function withTemplate(csv: (id: string) => string) {
  const world = createWorld();
  const { stdout } = await world.run([
    ...['template', 'create', '--sandbox', '--name', 'Offer', '--subject', 'Hi {{name}}'],
    ...['--html', '<p>{{name}}</p>', '--quiet'],
  ]);
  fileIn(world, 'people.csv', csv(stdout.trim()));
  return { world, id: stdout.trim() };
}

const batch = 'email batch people.csv --from hello@example.com --text Hi --yes --template';

/** Runs a batch over these rows with a service that shows the template so. */
async function send(csv: string, more: string, answer: Answer) {
  const service = await connected(answer);
  fileIn(service.world, 'people.csv', csv);
  const outcome = await service.run(`${batch} ${more}`);
  const posts = service.requests().filter((line) => line.startsWith('POST'));
  return { ...outcome, posts, requests: service.requests() };
}

test('a value that is missing in some rows stops the batch, with the rows', async () => {
  const csv = 'to,name,city\na@example.org,Ana,Rome\nb@example.org,,Rome\nc@example.org,,Bern\n';
  const { exitCode, stderr, posts } = await send(csv, 'tmpl_1', template);
  expect({ exitCode, posts }).toEqual({ exitCode: 2, posts: [] });
  expect(stderr).toContain('rows 2, 3: these placeholders have no value:');
  expect(stderr).toContain('template Offer, subject: {{name}}');
  expect(stderr).not.toContain('city');
  expect(stderr).not.toContain('plan');
});

test('a value in the wrong charset stops its row, unless the template does not use it', async () => {
  const { world } = await withTemplate(() => 'to,name,note\na@example.org,JÃ¼rgen,x\n');
  const line = `${batch} Offer --sandbox`;
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('"name" was read in the wrong charset, as in "JÃ¼rgen" in row 1');
  expect((await world.run(`${line} --literal`)).exitCode).toBe(0);
  fileIn(world, 'people.csv', 'to,name,note\na@example.org,Ana,KrÃ¤fte\n');
  expect((await world.run(line)).exitCode).toBe(0);
});

test('a column near a name that is missing is named, with --map', async () => {
  const csv = 'to,nmae\na@example.org,Ana\n';
  const { exitCode, stderr } = await send(csv, 'tmpl_1', template);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('did you mean --map name=nmae?');
});

test('--map and --literal settle it in the sandbox', async () => {
  const { world } = await withTemplate(() => 'to,nmae\na@example.org,Ana\n');
  const line = `${batch} Offer --sandbox`;
  expect((await world.run(line)).exitCode).toBe(2);
  expect((await world.run(`${line} --map name=nmae`)).exitCode).toBe(0);
  expect((await world.run(`${line} --literal`)).exitCode).toBe(0);
});

test('templates that rows name are compared, too, each read once', async () => {
  const { world } = await withTemplate(
    (id) => `to,templateId,name\na@example.org,${id},Ana\nb@example.org,${id},\n`,
  );
  const line = 'email batch people.csv --from hello@example.com --text Hi --yes --sandbox';
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('row 2: these placeholders have no value:');
  expect((await world.run(`${line} --skip-invalid`)).exitCode).toBe(11);
});

test('a template that cannot be read for the moment: 7, and nothing is sent', async () => {
  const down = { status: 503, body: 'down' };
  const csv = 'to,name\na@example.org,Ana\n';
  const { exitCode, stderr, posts } = await send(csv, 'tmpl_1 --retries 0 --json', down);
  expect({ exitCode, posts }).toEqual({ exitCode: 7, posts: [] });
  expect(stderr).toContain('the template could not be read');
});

test('templates that the service does not show: that is said once, and the batch goes on', async () => {
  const service = await connected(...repeat(2, { status: 404, body: '404 Not Found' }), accept);
  const csv = 'to,name,templateId\na@example.org,Ana,one\nb@example.org,,two\nc@example.org,,one\n';
  fileIn(service.world, 'people.csv', csv);
  const { stderr } = await service.run(
    'email batch people.csv --from hello@example.com --text Hi --yes --retries 0',
  );
  expect(stderr.match(/The service does not show the template/g)).toHaveLength(1);
  expect(service.requests()).toEqual([
    'GET /api/v1/templates/one',
    'GET /api/v1/templates/two',
    'POST /api/v1/emails/batch',
    'POST /api/v1/emails/batch',
  ]);
});

/** The same values for a stored template in a row, and with `--var`. */
async function bothWays(values: Readonly<Record<string, string>>) {
  const stored = {
    body: {
      ...{ id: 'tmpl_1', name: 'Offer', subject: 'For {{ name }}' },
      html: '<p>Hi {{name}},</p><p><a href="{{url}}">See {{plan, fallback=}}</a></p>',
    },
  };
  const names = Object.keys(values);
  const cells = Object.values(values).map((value) => `"${value.replaceAll('"', '""')}"`);
  const csv = `to,${names.join(',')}\na@example.org,${cells.join(',')}\n`;
  const posts = (requests: readonly string[]) => requests.filter((line) => /^POST/.test(line));
  const many = await connected(stored, accept);
  fileIn(many.world, 'people.csv', csv);
  const rows = await many.run(`${batch} tmpl_1`);
  const one = await connected(stored, { body: { emailId: 'em_1' } });
  const words =
    'email send --to a@example.org --from hello@example.com --text Hi --template tmpl_1';
  const sent = await one.run([
    ...words.split(' '),
    ...names.flatMap((name) => ['--var', `${name}=${values[name]}`]),
  ]);
  return [
    { ...rows, posts: posts(many.requests()) },
    { ...sent, posts: posts(one.requests()) },
  ];
}

test.each([
  [{ name: 'undefined' }, /Hi undefined,/],
  [{ name: '[object Object]' }, /\[object Object\]/],
  [{ name: '*|FNAME|*' }, /\*\|FNAME\|\*/],
  [{ name: '{{ first }}' }, /\{\{ first \}\}/],
  [{ name: 'J\ufffdrgen' }, /U\+FFFD/],
  [{ url: '/c/1' }, /template Offer, line 1: \S*\/c\/1/],
  [{ url: 'www.example.com/c' }, /www\.example\.com\/c/],
  [{ url: 'localhost:3000/x' }, /localhost:3000\/x/],
  [{ name: ' ' }, /\{\{ ?name ?\}\}/],
])('the value %j stops before a stored template is sent with it', async (value, said) => {
  const values = { name: 'Ana', url: 'https://example.com/c/1', ...value };
  for (const { exitCode, stderr, posts } of await bothWays(values)) {
    expect({ exitCode, posts, stderr }).toMatchObject({ exitCode: 2, posts: [] });
    expect(stderr).toMatch(said);
    expect(stderr).toContain('--literal');
  }
});

test.each([
  [{ url: 'htps://example.com' }, /htps/],
  [{ url: 'javascript:void(0)' }, /JavaScript/i],
  // As the service of this test, too.
  [{ url: 'http://localhost:3000/c/1' }, /localhost/],
  [{ name: '[Name]' }, /\[Name\]/],
])('the value %j is said', async (value, said) => {
  const values = { name: 'Ana', url: 'https://example.com/c/1', ...value };
  for (const { exitCode, stderr } of await bothWays(values)) {
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(said) });
  }
});

test('null is said of a cell, and stops as a --var, as in other templates', async () => {
  const [rows, one] = await bothWays({ name: 'null', url: 'https://example.com/' });
  expect(rows?.stderr).toContain('"name" is a text such as "null" in row 1. It is sent as it is.');
  expect(rows).toMatchObject({ exitCode: 0 });
  expect(one).toMatchObject({ exitCode: 2, posts: [] });
});

test.each([
  { name: 'O’Neil & <Söhne> "x"' },
  { name: 'Null' },
  { name: 'a\nb' },
  { name: '0' },
  { name: 'Ana', plan: 'Free {x}' },
  { name: 'Ana', url: 'myapp://open?x={1}' },
])('the values %j are sent with a stored template', async (value) => {
  const values = { url: 'https://example.com/c/1?a=1&b=2', ...value };
  for (const outcome of await bothWays(values)) expect(outcome).toMatchObject({ exitCode: 0 });
});

test('cells that a stored template shows are looked at, as in other templates, and no others', async () => {
  const rows = async (name: string, city: string) =>
    await send(
      `to,name,city\na@example.org,Ana,Rome\nb@example.org,${name},${city}\n`,
      'tmpl_1',
      template,
    );
  const wrong = await rows('JÃ¼rgen', '#N/A');
  expect(wrong).toMatchObject({ exitCode: 2, posts: [] });
  expect(wrong.stderr).toContain('"name" was read in the wrong charset, as in "JÃ¼rgen" in row 2');
  expect(wrong.stderr).not.toContain('city');
  const said = await rows('#N/A', 'JÃ¼rgen');
  expect(said.posts).not.toEqual([]);
  expect(said.stderr).toContain('"name" is a text such as "#N/A" in row 2. It is sent as it is.');
  const { world } = await withTemplate(
    (id) => `to,templateId,name\na@example.org,${id},Ana\nb@example.org,${id},NULL\n`,
  );
  const line = 'email batch people.csv --from hello@example.com --text Hi --yes --sandbox';
  expect((await world.run(line)).stderr).toContain('"name" is a text such as "NULL" in row 2.');
  const row = `${line.replace(' --yes', '')} --row 2 --to me@example.org --yes`;
  expect((await world.run(row)).stderr).toContain('"name" is a text such as "NULL" in row 2.');
});
