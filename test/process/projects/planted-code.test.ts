import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorOf, fileIn } from '../../support/connected.ts';
import { mjmlEmail, withPackages } from '../../support/packages.ts';
import { createWorld, type World } from '../../support/run.ts';

const line = 'email send --to a@b.example --from c@d.example --subject Hi --dry-run --json';
const mjml = mjmlEmail.replace('{{ color }}', 'red').replaceAll('{{ name }}', 'Ana');
const component = 'export default () => <p>Hi</p>;';
/** A module that leaves a trace when it is run. */
const leavesTrace = "require('node:fs').appendFileSync(__dirname + '/ran', 'x');";

/** A folder of the user, in a directory above it with whatever others planted. */
function below(): { above: World; world: World } {
  const above = createWorld();
  mkdirSync(join(above.home, 'mails'));
  return { above, world: createWorld({}, join(above.home, 'mails')) };
}

/** The packages for a flag. MJML itself takes half a second to load, and does not matter here. */
function withConverter(world: World, flag: string): void {
  if (flag === '--mjml-file') {
    fileIn(world, 'node_modules/mjml/index.js', "exports.default = () => ({ html: 'Hi' });");
  } else withPackages(world);
}

const bodies = [
  ['--mjml-file', 'a.mjml', mjml],
  ['--react-email', 'a.jsx', component],
  [
    '--react-email',
    'a.mjs',
    "import { createElement } from 'react';\nexport default () => createElement('p', {}, 'Hi');",
  ],
] as const;

describe('packages in a directory that others can write to', () => {
  test.each(bodies)('%s %s: an error that names it, and nothing runs', async (flag, name, body) => {
    const { above, world } = below();
    withConverter(above, flag);
    fileIn(world, name, body);
    expect(await world.run(`${line} ${flag} ${name}`)).toMatchObject({ exitCode: 0 });
    chmodSync(above.home, 0o777);
    const outcome = await world.run(`${line} ${flag} ${name}`);
    const { code, message, hint } = errorOf(outcome);
    expect({ exitCode: outcome.exitCode, stdout: outcome.stdout, code }).toEqual({
      ...{ exitCode: 2, stdout: '', code: 'usage' },
    });
    expect(message).toContain(`${flag}: ${above.home}/`);
    expect(message).toContain(
      ` is not run: others can write to ${above.home} (mode 0777), and could have planted it`,
    );
    expect(hint).toBe(
      `If you trust them, set MAILER_TRUSTED_DIRS=${above.home}. Otherwise check what is there, then run: chmod go-w ${above.home}`,
    );
  });

  test.each(bodies)('%s %s: MAILER_TRUSTED_DIRS allows it', async (flag, name, body) => {
    const { above, world } = below();
    withConverter(above, flag);
    fileIn(world, name, body);
    chmodSync(above.home, 0o777);
    const linked = join(createWorld().home, 'linked');
    symlinkSync(above.home, linked);
    const ways = [`/nonesuch:${above.home}`, `${above.home}/`, linked, '/'];
    // How they are named has nothing to do with what is converted, and MJML is the fastest here.
    for (const dirs of flag === '--mjml-file' ? ways : ways.slice(0, 1)) {
      const env = { MAILER_TRUSTED_DIRS: dirs };
      const outcome = await world.run(`${line} ${flag} ${name}`, { env });
      expect(outcome).toMatchObject({ exitCode: 0 });
    }
    const env = { MAILER_TRUSTED_DIRS: `${above.home}/mails/other:${above.home}x` };
    expect(await world.run(`${line} ${flag} ${name}`, { env })).toMatchObject({ exitCode: 2 });
  });

  test.each(['a.mjml', 'a.jsx'])('email check %s runs nothing, either', async (name) => {
    const { above, world } = below();
    withPackages(above);
    fileIn(world, 'a.mjml', mjml);
    fileIn(world, 'a.jsx', component);
    chmodSync(above.home, 0o777);
    const outcome = await world.run(`email check ${name} --json`);
    expect(errorOf(outcome).message).toContain(' is not run: ');
  });

  test('MAILER_TRUSTED_DIRS with a relative path is an error', async () => {
    const { world } = below();
    fileIn(world, 'a.mjml', mjml);
    const env = { MAILER_TRUSTED_DIRS: '/a:b' };
    const outcome = await world.run(`${line} --mjml-file a.mjml`, { env });
    expect(errorOf(outcome).message).toBe('MAILER_TRUSTED_DIRS: "b" is not an absolute path');
  });

  test.each(['node_modules', 'node_modules/react'])(
    'a planted %s is not run, nor is one that a package only tries to load',
    async (open) => {
      const { above, world } = below();
      fileIn(above, 'node_modules/react/index.js', leavesTrace);
      fileIn(above, 'node_modules/@react-email/render/index.js', leavesTrace);
      chmodSync(join(above.home, open), 0o777);
      fileIn(world, 'a.cjs', 'exports.default = () => null;');
      expect(await world.run(`${line} --react-email a.cjs`)).toMatchObject({ exitCode: 2 });
      fileIn(
        world,
        'node_modules/mjml/index.js',
        "try { require('react') } catch {}; exports.default = () => ({ html: 'Hi' });",
      );
      fileIn(world, 'a.mjml', mjml);
      expect(await world.run(`${line} --mjml-file a.mjml`)).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(above.home, 'node_modules/react/ran'))).toBe(false);
    },
  );

  test('a planted link to a package of the user’s own is not followed', async () => {
    const { above, world } = below();
    fileIn(world, 'other/index.js', leavesTrace);
    mkdirSync(join(above.home, 'node_modules'));
    symlinkSync(join(world.home, 'other'), join(above.home, 'node_modules', 'mjml'));
    chmodSync(join(above.home, 'node_modules'), 0o777);
    fileIn(world, 'a.mjml', mjml);
    const { exitCode, stderr } = await world.run(`${line} --mjml-file a.mjml`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`${above.home}/node_modules/mjml is not run`),
    });
    expect(existsSync(join(world.home, 'other/ran'))).toBe(false);
  });

  test('a planted program of esbuild is not run', async () => {
    const { above, world } = below();
    withPackages(world);
    fileIn(above, 'node_modules/planted/index.js', leavesTrace);
    chmodSync(join(above.home, 'node_modules'), 0o777);
    fileIn(
      world,
      'a.cjs',
      "const path = require.resolve('planted');\nexports.default = () => path;",
    );
    const { exitCode, stderr } = await world.run(`${line} --react-email a.cjs`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`${above.home}/node_modules/planted is not run`),
    });
  });
});

describe('.mjmlconfig', () => {
  const config = { packages: ['./own.js'] };
  const planted = { packages: ['./planted.js'] };

  function withPlanted(world: World): void {
    withPackages(world);
    fileIn(world, '.mjmlconfig', planted);
    fileIn(world, 'planted.js', leavesTrace);
  }
  const ran = (world: World, name = 'ran') => existsSync(join(world.home, name));

  test('of the current directory is not used outside of a project, nor is one above', async () => {
    const { above, world } = below();
    withPlanted(above);
    fileIn(world, 'a.mjml', mjml);
    expect(await above.run(`${line} --mjml-file mails/a.mjml`)).toMatchObject({ exitCode: 0 });
    expect(await world.run(`${line} --mjml-file a.mjml`)).toMatchObject({ exitCode: 0 });
    expect(ran(above)).toBe(false);
  });

  test('above the project’s directory is not used', async () => {
    const { above, world } = below();
    withPlanted(above);
    fileIn(above, 'package.json', {});
    fileIn(world, 'package.json', {});
    fileIn(world, 'parts/a.mjml', mjml);
    expect(await above.run(`${line} --mjml-file mails/parts/a.mjml`)).toMatchObject({
      exitCode: 0,
    });
    expect(ran(above)).toBe(false);
  });

  test.each(['package.json', '.git'])(
    'of the project is used from any directory, up to its %s',
    async (marker) => {
      const { above, world } = below();
      withPackages(above);
      fileIn(world, marker, {});
      fileIn(world, '.mjmlconfig', config);
      fileIn(world, 'own.js', leavesTrace);
      fileIn(world, 'parts/a.mjml', mjml);
      expect(await above.run(`${line} --mjml-file mails/parts/a.mjml`)).toMatchObject({
        exitCode: 0,
      });
      expect(readFileSync(join(world.home, 'ran'), 'utf8')).toBe('x');
    },
  );

  test('that others can change is an error, and a package.json of theirs makes no project', async () => {
    const { above, world } = below();
    withPlanted(above);
    fileIn(above, 'package.json', {});
    fileIn(world, 'a.mjml', mjml);
    chmodSync(join(above.home, '.mjmlconfig'), 0o666);
    const outcome = await world.run(`${line} --mjml-file a.mjml`);
    expect(errorOf(outcome).message).toContain(`${above.home}/.mjmlconfig is not run: others can`);
    chmodSync(join(above.home, 'package.json'), 0o666);
    expect(await world.run(`${line} --mjml-file a.mjml`)).toMatchObject({ exitCode: 0 });
    expect(ran(above)).toBe(false);
  });
});

test('a tsconfig.json above the project does not replace what a component imports', async () => {
  const { above, world } = below();
  withPackages(above);
  fileIn(above, 'planted.js', `${leavesTrace}\nexports.jsx = () => null;`);
  fileIn(above, 'tsconfig.json', {
    compilerOptions: { paths: { 'react/jsx-runtime': ['./planted.js'] } },
  });
  fileIn(world, 'a.jsx', component);
  expect(await world.run(`${line} --react-email a.jsx`)).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(world.home, 'ran'))).toBe(false);
});

test('a component that others can change is not run', async () => {
  const { above, world } = below();
  withPackages(above);
  fileIn(world, 'a.jsx', `import './part.cjs';\n${component}`);
  fileIn(world, 'part.cjs', leavesTrace);
  for (const name of ['part.cjs', 'a.jsx']) {
    chmodSync(join(world.home, name), 0o666);
    const outcome = await world.run(`${line} --react-email a.jsx`);
    expect(errorOf(outcome).message).toContain(`${world.home}/${name} is not run: `);
    chmodSync(join(world.home, name), 0o600);
  }
  expect(existsSync(join(world.home, 'ran'))).toBe(false);
});
