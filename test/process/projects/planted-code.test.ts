import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
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
      ` is not used, because it may not be yours: others can write to ${above.home} (mode 0777)`,
    );
    expect(hint).toBe(
      `If you trust everyone who can write there, set MAILER_TRUSTED_DIRS=${above.home}. Otherwise, check its content, then run: chmod go-w ${above.home}`,
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
    expect(errorOf(outcome).message).toContain(' is not used, because it may not be yours: ');
  });

  test('MAILER_TRUSTED_DIRS with a relative path is an error', async () => {
    const { world } = below();
    fileIn(world, 'a.mjml', mjml);
    const env = { MAILER_TRUSTED_DIRS: '/a:b' };
    const outcome = await world.run(`${line} --mjml-file a.mjml`, { env });
    expect(errorOf(outcome).message).toBe('MAILER_TRUSTED_DIRS: "b" is not an absolute path');
  });

  test.each(['node_modules', 'node_modules/react'])(
    'a planted %s is not used, and is an error even if a package only tries to load it',
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
      const { exitCode, stderr } = await world.run(`${line} --mjml-file a.mjml`);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`${above.home}/node_modules/react is not used`),
      });
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
      stderr: expect.stringContaining(`${above.home}/node_modules/mjml is not used`),
    });
    expect(existsSync(join(world.home, 'other/ran'))).toBe(false);
  });

  test('a planted program of esbuild is not used', async () => {
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
      stderr: expect.stringContaining(`${above.home}/node_modules/planted is not used`),
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
    expect(errorOf(outcome).message).toContain(
      `${above.home}/.mjmlconfig is not used, because it may not be yours: others can`,
    );
    chmodSync(join(above.home, 'package.json'), 0o666);
    expect(await world.run(`${line} --mjml-file a.mjml`)).toMatchObject({ exitCode: 0 });
    expect(ran(above)).toBe(false);
  });

  test.each([
    line,
    'email batch rows.json --from c@d.example --subject Hi --skip-invalid --yes --dry-run --json',
    'email check --json --rows rows.json',
    'campaign create --name N --from c@d.example --subject Hi --book cmkf0y3b4000008l4f2gh1q9z --dry-run --json',
  ])('a component of it that others can change, which mjml would do without: %s', async (words) => {
    const { world } = below();
    withPackages(world);
    fileIn(world, 'rows.json', [{ to: 'a@b.example' }, { to: 'b@b.example' }]);
    fileIn(world, '.mjmlconfig', config);
    fileIn(world, 'own.js', leavesTrace);
    open(world, 'own.js');
    fileIn(world, 'a.mjml', mjml);
    const flag = words.startsWith('email check') ? '' : '--mjml-file';
    await expectRefusal(world, `${words} ${flag} a.mjml`, 'own.js');
    expect(ran(world)).toBe(false);
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

test('a component that others can change is not used', async () => {
  const { above, world } = below();
  withPackages(above);
  fileIn(world, 'a.jsx', `import './part.cjs';\n${component}`);
  fileIn(world, 'part.cjs', leavesTrace);
  for (const name of ['part.cjs', 'a.jsx']) {
    chmodSync(join(world.home, name), 0o666);
    const outcome = await world.run(`${line} --react-email a.jsx`);
    expect(errorOf(outcome).message).toContain(
      `${world.home}/${name} is not used, because it may not be yours: `,
    );
    chmodSync(join(world.home, name), 0o600);
  }
  expect(existsSync(join(world.home, 'ran'))).toBe(false);
});

/** Expects that nothing is made, and an error that names the file that others can change. */
async function expectRefusal(world: World, words: string, name: string): Promise<void> {
  const outcome = await world.run(words);
  const { code, message, hint } = errorOf(outcome);
  expect({ exitCode: outcome.exitCode, code }).toEqual({ exitCode: 2, code: 'usage' });
  expect(message).toContain(
    ` is not used, because it may not be yours: others can write to ${world.home}/${name} (mode `,
  );
  expect(hint).toContain(`chmod go-w ${world.home}/${name}`);
}

/** Lets others write to a file. */
function open(world: World, name: string): void {
  chmodSync(join(world.home, name), 0o666);
}

describe('mj-include', () => {
  const including = (path: string, attributes = '') =>
    `<mjml><mj-body><mj-include path="${path}"${attributes} /></mj-body></mjml>`;

  function withParts(): World {
    const { world } = below();
    withPackages(world);
    fileIn(world, 'a.mjml', including('./parts/middle.mjml'));
    fileIn(world, 'parts/middle.mjml', including('./foot.html', ' type="html"'));
    fileIn(world, 'parts/foot.html', '<p>Foot</p>');
    return world;
  }

  test('of a file that others can change, also in an included one and in a document', async () => {
    const world = withParts();
    const { exitCode, stdout } = await world.run(`${line} --mjml-file a.mjml`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Foot') });
    for (const name of ['parts/foot.html', 'parts/middle.mjml', 'a.mjml']) {
      open(world, name);
      await expectRefusal(world, `${line} --mjml-file a.mjml`, name);
      chmodSync(join(world.home, name), 0o600);
    }
  });

  test('of a file that others can change: email check goes on with the next file', async () => {
    const world = withParts();
    fileIn(world, 'b.md', 'Hi');
    open(world, 'parts/foot.html');
    const { exitCode, stdout } = await world.run('email check a.mjml b.md --json');
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ file: 'a.mjml' }, { file: 'b.md' }],
      findings: expect.arrayContaining([
        expect.objectContaining({ file: 'a.mjml', code: 'file-invalid' }),
      ]),
    });
  });

  test('of a file that others can change, in one row: no row is skipped for it', async () => {
    const world = withParts();
    fileIn(world, 'rows.json', [
      { to: 'a@b.example', variables: { has: false } },
      { to: 'b@b.example', variables: { has: true } },
    ]);
    const body = including('./parts/foot.html', ' type="html"');
    fileIn(
      world,
      'a.mjml',
      body.replace(/<mj-include.*\/>/, `<mj-raw>Hi</mj-raw>{% if has %}$&{% endif %}`),
    );
    const words =
      'email batch rows.json --from c@d.example --subject Hi --mjml-file a.mjml --yes --dry-run --json';
    expect(await world.run(words)).toMatchObject({ exitCode: 0 });
    open(world, 'parts/foot.html');
    await expectRefusal(world, `${words} --skip-invalid`, 'parts/foot.html');
  });

  test('needs mjml 5: before, it reads any file', async () => {
    const { world } = below();
    fileIn(world, 'node_modules/mjml/package.json', { version: '4.18.0' });
    fileIn(
      world,
      'node_modules/mjml/index.js',
      `exports.default = (body, { ignoreIncludes }) => ({ html: ignoreIncludes ? 'Hi' : 'Read' });`,
    );
    fileIn(world, 'a.mjml', mjml);
    expect(await world.run(`${line} --mjml-file a.mjml`)).toMatchObject({ exitCode: 0 });
    fileIn(world, 'a.mjml', `\n${including('/etc/passwd', ' type="html"')}`);
    const outcome = await world.run(`${line} --mjml-file a.mjml`);
    expect({ exitCode: outcome.exitCode, ...errorOf(outcome) }).toEqual({
      exitCode: 2,
      code: 'usage',
      message:
        '--mjml-file: line 2: mj-include needs mjml 5, because mjml 4.18.0 can include any file of yours',
      hint: 'In the folder of the template, run: npm install mjml@5',
    });
  });
});

describe('what decides which files a component consists of', () => {
  const imports = (specifier: string) =>
    `import part from '${specifier}';\nexport default () => <p>{JSON.stringify(part)}</p>;`;
  const paths = { '@/part': ['./src/part'], '@@/*': ['./src/*'] };

  function withPart(specifier: string): World {
    const { above, world } = below();
    withPackages(above);
    fileIn(world, 'a.jsx', imports(specifier));
    fileIn(world, 'package.json', {});
    fileIn(world, 'src/part.json', { text: 'Hi' });
    fileIn(world, 'secret.json', { text: 'Secret' });
    fileIn(world, 'tsconfig.json', { compilerOptions: { paths } });
    return world;
  }

  test.each([
    ['./conf/base', 'conf/base.json', '../src/part.json'],
    [['./none.json', './conf/base.json'], 'conf/base.json', '$' + '{configDir}/src/part.json'],
    ['base', 'node_modules/base/tsconfig.json', '../../src/part.json'],
    ['base/strict.json', 'node_modules/base/strict.json', '../../src/part.json'],
    ['./middle.json', 'conf/base.json', '../src/part.json'],
  ])('a tsconfig.json that extends %j', async (base, name, target) => {
    const world = withPart('@/part');
    fileIn(
      world,
      'tsconfig.json',
      `{ // Comments, and commas at the end.\n"extends": ${JSON.stringify(base)}, /* "//" */ }`,
    );
    fileIn(world, 'middle.json', { extends: './conf/base.json' });
    fileIn(world, name, { compilerOptions: { paths: { '@/*': [target] } } });
    const { exitCode, stdout } = await world.run(`${line} --react-email a.jsx`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Hi') });
    open(world, name);
    await expectRefusal(world, `${line} --react-email a.jsx`, name);
  });

  test.each([
    ['./src', 'src/package.json'],
    ['@@/folder', 'src/folder/package.json'],
    ['folder', 'src/folder/package.json'],
    ['#part', 'package.json'],
  ])('a package.json that says what %s is', async (specifier, name) => {
    const world = withPart(specifier);
    const compilerOptions = specifier === 'folder' ? { baseUrl: './src' } : { paths };
    fileIn(world, 'tsconfig.json', { compilerOptions });
    const main = `${'../'.repeat(name.split('/').length - 1)}secret.json`;
    fileIn(world, name, { main, imports: { '#part': './secret.json' } });
    const { exitCode, stdout } = await world.run(`${line} --react-email a.jsx`);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('Secret'),
    });
    open(world, name);
    await expectRefusal(world, `${line} --react-email a.jsx`, name);
  });

  test('a link without its extension, and a file with a query', async () => {
    const world = withPart('./shared/part');
    mkdirSync(join(world.home, 'shared'));
    symlinkSync('../secret.json', join(world.home, 'shared/part.json'));
    chmodSync(join(world.home, 'shared'), 0o777);
    await expectRefusal(world, `${line} --react-email a.jsx`, 'shared');
    fileIn(world, 'a.jsx', imports('./secret.json?raw'));
    open(world, 'secret.json');
    await expectRefusal(world, `${line} --react-email a.jsx`, 'secret.json');
  });

  test.each([
    ['a.cjs', 'planted'],
    ['a.jsx', 'planted'],
    ['a.cjs', 'planted/part'],
  ])('%s: the package.json of %s', async (name, specifier) => {
    const world = withPart('./src/part');
    const text = `require('${specifier}');\nexports.default = () => 'Hi';`;
    fileIn(world, name, text);
    const planted = `node_modules/${specifier}/package.json`;
    fileIn(world, planted, { main: join(world.home, 'secret.json') });
    expect(await world.run(`${line} --react-email ${name}`)).toMatchObject({ exitCode: 0 });
    open(world, planted);
    await expectRefusal(world, `${line} --react-email ${name}`, planted);
  });

  test('the program of esbuild', async () => {
    const { above, world } = below();
    withPackages(above);
    const program = `@esbuild/${process.platform}-${process.arch}`;
    for (const name of ['esbuild', program].map((one) => `node_modules/${one}`)) {
      cpSync(join(above.home, name), join(world.home, name), { recursive: true });
    }
    fileIn(world, 'a.jsx', component);
    expect(await world.run(`${line} --react-email a.jsx`)).toMatchObject({ exitCode: 0 });
    const file = `node_modules/${program}/bin/esbuild`;
    chmodSync(join(world.home, file), 0o777);
    await expectRefusal(world, `${line} --react-email a.jsx`, file);
  });
});
