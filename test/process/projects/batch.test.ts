import { expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { mjmlEmail, reactEmail, withPackages } from '../../support/packages.ts';
import { createWorld, type World } from '../../support/run.ts';

function project(): World {
  const world = createWorld({ MAILER_API_KEY: 'us_k_1', MAILER_BASE_URL: 'http://127.0.0.1:1' });
  withPackages(world);
  fileIn(world, 'hi.mjml', mjmlEmail);
  for (const [name, content] of Object.entries(reactEmail)) fileIn(world, name, content);
  return world;
}

function withRows(world: World, variables: readonly object[]): World {
  const rows = variables.map((values, at) => ({ to: `p${at}@example.org`, variables: values }));
  fileIn(world, 'rows.json', rows);
  return world;
}

const line = ['email', 'batch', 'rows.json', '--from', 'a@example.com'];
const subject = ['--subject', 'Hi {{ name }}'];

/** The rendered emails, from the preview of the batch. */
async function preview(world: World, ...flags: readonly string[]) {
  const words = [...line, ...subject, ...flags, '--preview', '1000', '--json'];
  const outcome = await world.run(words);
  expect(outcome).toMatchObject({ exitCode: 0 });
  return JSON.parse(outcome.stdout) as { subject: string; html: string; text: string }[];
}

test('MJML is a template, rendered for each row; values are neither MJML nor HTML', async () => {
  const world = withRows(project(), [
    { name: '</mj-text><mj-include path="/etc/passwd" />', color: 'red' },
    { name: 'Ben', color: '#00f"><b>' },
  ]);
  const [ana, ben] = await preview(world, '--mjml-file', 'hi.mjml');
  expect(ana?.html).toMatch(
    /color:red;"\s*>Hi &lt;\/mj-text&gt;&lt;mj-include path=&#34;\/etc\/passwd&#34; \/&gt;</,
  );
  expect(ana?.subject).toBe('Hi </mj-text><mj-include path="/etc/passwd" />');
  expect(ana?.text).toMatch(/^Hi <\/mj-text>/);
  expect(ben?.html).toMatch(/color:#00f&#34;&gt;&lt;b&gt;;"\s*>Hi Ben</);
});

test('a value that MJML calculates with is given raw; the error says so', async () => {
  const world = withRows(project(), [{ name: 'x', color: 'red', width: '120px' }]);
  const withWidth = (width: string) =>
    fileIn(world, 'hi.mjml', mjmlEmail.replace('<mj-button', `<mj-button width="${width}"`));
  withWidth('{{ width }}');
  const flags = ['--mjml-file', 'hi.mjml', '--preview', '1', '--json'];
  const error = errorOf(await world.run([...line, ...subject, ...flags]));
  expect(error.message).toMatch(
    /^row 1: --mjml-file: line 6: Attribute width has invalid value: \{\{ … \}\} for type Unit/,
  );
  withWidth('{{ width | raw }}');
  const [email] = await preview(world, '--mjml-file', 'hi.mjml');
  expect(email?.html).toContain('width:70px');
});

test('a column of another name than the prop stops the rows', async () => {
  const world = withRows(project(), [{ name: 'x', firstName: 'Ana' }]);
  fileIn(world, 'emails/gap.tsx', 'export default ({ first }) => <p>Dear {first},</p>;');
  const words = [...line, '--subject', 'Hi', '--react-email', 'emails/gap.tsx', '--yes', '--json'];
  const outcome = await world.run(words);
  expect(outcome.exitCode).toBe(2);
  expect(JSON.stringify(errorOf(outcome))).toContain('a value in the text is undefined');
});

test('an included file is no template: one that looks like it is an error', async () => {
  const world = withRows(project(), [{ name: 'x' }]);
  fileIn(world, 'a.mjml', '<mjml><mj-body><mj-include path="./b.mjml" /></mj-body></mjml>');
  fileIn(world, 'b.mjml', '<mj-raw>{{ name }}</mj-raw>');
  const flags = ['--mjml-file', 'a.mjml', '--preview', '1', '--json'];
  const { message } = errorOf(await world.run([...line, ...subject, ...flags]));
  expect(message).toBe('row 1: --mjml-file: a file that mj-include includes is not a template');
});

test('a component gets the values of its row, before those of --var', async () => {
  const world = withRows(project(), [{ name: 'zqmailer0q', items: ['{{ x }}'] }, { items: [] }]);
  const words = [...line, '--subject', 'Hi', '--react-email', 'emails/hello.tsx'];
  const outcome = await world.run([...words, '--var', 'name=All', '--preview', '9', '--json']);
  const [own, other] = JSON.parse(outcome.stdout);
  expect(own.text).toBe('Hi zqmailer0q\n\n- {{ x }}\n\nOpen (https://example.com/)');
  expect(own).not.toHaveProperty('variables');
  expect(other.text).toBe('Hi All\n\nOpen (https://example.com/)');
});

const vip = `export default function Vip({ vip }: { vip?: boolean }) {
  return <html lang="en"><body><p>{vip ? 'VIP' : 'Guest'}</p></body></html>;
}`;

test('"false" in a cell is no prop: a component takes it for true', async () => {
  const world = project();
  fileIn(world, 'vip.tsx', vip);
  const csv = 'to,vip,active\nana@example.org,False,true\n';
  const flags = ['--from', 'a@example.com', '--subject', 'Hi', '--preview', '1', '--json'];
  const words = (file: string) => ['email', 'batch', file, ...flags, '--react-email', 'vip.tsx'];
  fileIn(world, 'rows.csv', csv);
  const outcome = await world.run(words('rows.csv'));
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe(
    'row 1: --react-email: "vip" is the text "False", and a component takes any text for true',
  );
  fileIn(world, 'rows.csv', csv.replace('False', ''));
  expect(await world.run(words('rows.csv'))).toMatchObject({ exitCode: 0 });
  withRows(world, [{ vip: false, active: 'true' }, { vip: 'true' }]);
  const { stdout } = await world.run(words('rows.json'));
  expect(JSON.parse(stdout)[0].text).toBe('Guest');
});

test('a row without a prop of a component is named, where it would say undefined', async () => {
  const world = withRows(project(), [{ name: 'Ana' }, { nmae: 'Ben' }]);
  const words = [
    ...line,
    '--subject',
    'Hi',
    '--react-email',
    'emails/hello.tsx',
    '--yes',
    '--json',
  ];
  const outcome = await world.run([...words, '--dry-run']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toMatch(/row 2: a program wrote this .*"Hi undefined"/);
});

test('a row that a component cannot render is named, and can be skipped', async () => {
  const world = withRows(project(), [{ name: 'Ana' }, { name: 'Ben', items: 3 }]);
  const words = [...line, ...subject, '--react-email', 'emails/hello.tsx', '--yes', '--json'];
  const { message } = errorOf(await world.run([...words, '--dry-run']));
  expect(message).toContain('hello.tsx:10:20: items.map is not a function');
  const { exitCode, stdout } = await world.run([...words, '--dry-run', '--skip-invalid']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain('Hi Ana');
});

test('a run in React resumes with the bodies that it has, without the project', async () => {
  const world = withRows(project(), [{ name: 'Ana' }, { name: 'Ben' }]);
  const words = [...line, ...subject, '--react-email', 'emails/hello.tsx', '--yes'];
  const failed = await world.run([...words, '--retries', '0']);
  expect(failed.exitCode).not.toBe(0);
  fileIn(world, 'emails/link.tsx', 'not TypeScript');
  const again = await world.run([...words, '--retries', '0']);
  expect(again.exitCode).toBe(failed.exitCode);
  fileIn(world, 'emails/hello.tsx', `${reactEmail['emails/hello.tsx']}\n// Another email.\n`);
  const other = await world.run([...words, '--json']);
  expect(errorOf(other).message).toMatch(/link\.tsx:1:\d+: /);
});

test('an image of a component that recipients cannot load is an error of its row', async () => {
  const world = withRows(project(), [{ src: 'https://example.com/a.png' }, { src: 'img/b.png' }]);
  fileIn(
    world,
    'emails/image.tsx',
    'export default ({ src }: { src: string }) => <img alt="" src={src} />;\n',
  );
  const words = [...line, '--subject', 'Hi', '--react-email', 'emails/image.tsx', '--sandbox'];
  const outcome = await world.run([...words, '--dry-run', '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toMatch(/^row 2: recipients cannot load .*"img\/b\.png"/m);
  expect((await world.run([...words, '--dry-run', '--literal'])).exitCode).toBe(0);
});

test('cells that a component names are looked at as those of a template', async () => {
  const world = project();
  fileIn(world, 'hi.tsx', 'export default ({ name }) => <p>Dear {name}</p>;');
  const words = 'email batch rows.csv --from a@example.com --subject Hi --react-email hi.tsx';
  const preview = async (name: string, city: string) => {
    fileIn(world, 'rows.csv', `to,name,city\nana@example.org,${name},${city}\n`);
    return await world.run(`${words} --preview 1`);
  };
  for (const name of ['JÃ¼rgen', '{{ x }}']) {
    const { exitCode, stderr } = await preview(name, 'Rome');
    expect({ name, exitCode }).toEqual({ name, exitCode: 2 });
    expect(stderr).toContain(`"${name}"`);
  }
  const { exitCode, stderr } = await preview('#N/A', 'JÃ¼rgen');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('"name" is a text such as "#N/A" in row 1. It is sent as it is.');
  expect(stderr).not.toContain('city');
});
