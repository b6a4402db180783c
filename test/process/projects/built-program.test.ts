import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mjmlEmail, withPackages } from '../../support/packages.ts';
import { createPlace, finished, isExecutable, type Place, saying } from '../../support/process.ts';

const line =
  'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi --preview';

function project(env: Readonly<Record<string, string>> = {}): Place {
  const place = createPlace(env);
  withPackages(place);
  const mjml = mjmlEmail.replace('{{ color }}', 'red').replaceAll('{{ name }}', 'Ana');
  writeFileSync(join(place.home, 'hi.mjml'), mjml);
  return place;
}

test('MJML: an email', async () => {
  const words = `${line} --mjml-file hi.mjml --fields text`;
  const { exitCode, stdout, stderr } = await project().run(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^text\tHi/);
});

test('what a component and its programs print is not taken for an email', async () => {
  const place = project();
  const prints = [
    "import { execSync } from 'node:child_process';",
    "import { writeSync } from 'node:fs';",
    "execSync('echo by a program', { stdio: 'inherit' });",
    `writeSync(1, '{"html":"<p>Printed</p>"}\\n');`,
    'export default () => <p>Hi</p>;',
  ];
  writeFileSync(join(place.home, 'a.jsx'), prints.join('\n'));
  const { exitCode, stdout, stderr } = await place.run(`${line} --react-email a.jsx --fields text`);
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^text\tHi/),
  });
  expect(stderr).toBe('by a program\n{"html":"<p>Printed</p>"}\n');
});

test('a component that never ends, ends with the program on SIGINT', async () => {
  const place = project();
  const endless = 'process.stderr.write("rendering\\n"); for (;;);';
  writeFileSync(join(place.home, 'a.jsx'), `export default () => { ${endless} };`);
  const started = place.start([...line.split(' '), '--react-email', 'a.jsx']);
  await saying(started, 'rendering');
  started.kill('SIGINT');
  expect((await finished(started)).exitCode).toBe(130);
});

test('the program ends while a component’s timers run', async () => {
  const place = project();
  const timers = 'setInterval(() => {}, 1000); export default () => <p>Hi</p>;';
  writeFileSync(join(place.home, 'a.jsx'), timers);
  expect(await place.run(`${line} --react-email a.jsx`)).toMatchObject({ exitCode: 0 });
  // Also in a batch whose input cannot be read.
  const { exitCode, stderr } = await place.run(
    'email batch none.json --sandbox --from hello@example.com --subject Hi --react-email a.jsx --yes',
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('none.json');
});

test('the executable needs Node on the PATH, and says so', async ({ skip }) => {
  skip(!isExecutable, 'elsewhere, Node runs the program');
  const { exitCode, stderr } = await project({ PATH: '/nowhere' }).run(
    `${line} --mjml-file hi.mjml`,
  );
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'Error: --mjml-file: Node could not be started\nHint: Install Node 22.19 or newer, and put it on the PATH.\n',
  );
});
