import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circles, floors, wrongImport, wrongPlace } from './support/house.ts';
import { root, temporaryDirectory } from './support/process.ts';
import {
  filesIn,
  globalsIn,
  importedFiles,
  importedPackages,
  importsOf,
  read,
} from './support/sources.ts';

// The rules of the house. Type imports count as imports, because they are dependencies too.

const sources = filesIn('src/**/*.ts');
const all = filesIn('**/*', '.ci/*').filter((path) =>
  /\.(ts|js|json|md|yml|run)$|\/run$/.test(path),
);

const imports = new Map(sources.map((path) => [path, importedFiles(path)]));

function wrongImports(path: string, source: string): string[] {
  return importedFiles(path, source).flatMap((imported) => wrongImport(path, imported) ?? []);
}

describe('imports', () => {
  test('go to lower floors only, and every file is in a room', () => {
    expect(sources.flatMap((path) => wrongPlace(path) ?? [])).toEqual([]);
    expect(sources.flatMap((path) => wrongImports(path, read(path)))).toEqual([]);
  });

  test('make no circle', () => {
    expect(circles(imports)).toEqual([]);
  });

  test('lead to files that exist', () => {
    const existing = new Set([
      ...sources,
      ...filesIn('src/**/assets/*', 'src/**/*.json'),
      'package.json',
    ]);
    const missing = sources.flatMap((path) =>
      importedFiles(path).filter((imported) => !existing.has(imported)),
    );
    expect(missing).toEqual([]);
  });

  test('of undici are in one file', () => {
    const users = sources.filter((path) => importedPackages(read(path)).includes('undici'));
    expect(users).toEqual(['src/lib/service/http/network/by-undici.ts']);
  });

  test('of the contract are pure data: no module of Node, no terminal', () => {
    const packages = filesIn('src/api/*.ts').flatMap((path) => importedPackages(read(path)));
    // Of node:net and node:url, only isIP and domainToASCII, which are pure functions.
    expect([...new Set(packages)].sort()).toEqual([
      'email-addresses',
      'node:net',
      'node:url',
      'zod',
    ]);
  });

  test('of a command never reach the file system, network or process directly', () => {
    const users = filesIn('src/commands/**/*.ts').filter((path) =>
      importedPackages(read(path)).some((name) => name.startsWith('node:')),
    );
    expect(users).toEqual([]);
  });

  test('are used: there are no barrel files', () => {
    expect(sources.filter((path) => isBarrel(read(path)))).toEqual([]);
  });

  test.each([
    ['src/lib/base/text/a.ts', "import { run } from '../../../cli/run.ts';"],
    ['src/lib/mail/email/a.ts', "import type { Store } from '../../../sandbox/store/store.ts';"],
    [
      'src/lib/service/http/a.ts',
      "const { openSandbox } = await import('../../../sandbox/open.ts');",
    ],
    ['src/cli/a.ts', "export { openSandbox } from '../sandbox/open.ts';"],
    ['src/api/a.ts', "import {\n  type One,\n  two,\n} from '../lib/base/errors.ts';"],
    ['src/commands/email/a.ts', "import '../domain/list.ts';"],
    ['src/commands/email/a.ts', "import * as send from './send.ts';"],
    ['src/commands/email/a.ts', "type Store = import('../../sandbox/store/store.ts').Store;"],
    ['src/sandbox/http/a.ts', "import { write } from '../../lib/base/terminal/write.ts';"],
    ['src/sandbox/model/a.ts', "import type { Route } from '../http/call.ts';"],
    ['src/lib/mail/campaign/a.ts', "import { waitFlags } from '../email/wait-flags.ts';"],
    ['src/lib/mail/email/a.ts', "import { openInput } from '../../people/rows/open-input.ts';"],
    ['src/lib/service/http/network/a.ts', "import { createClient } from '../client.ts';"],
  ])('are checked: %s with %s', (path, source) => {
    expect(wrongImports(path, source)).toHaveLength(1);
    const bare = wrongImports(path, `// ${source.replaceAll('\n', ' ').replace('import(', '')}`);
    expect(bare).toEqual([]);
  });

  test('that are wrong get an error with the right room', () => {
    const source = "import { createClient } from '../../service/http/client.ts';";
    expect(wrongImports('src/lib/base/text/a.ts', source)).toEqual([
      'src/lib/base/text/a.ts imports src/lib/service/http/client.ts, from a higher floor: a.ts belongs in src/lib/service, or what it needs lower.',
    ]);
    expect(wrongPlace('src/lib/misc/a.ts')).toMatch(
      /^src\/lib\/misc\/a.ts: src\/lib has no room "misc"; it has base,/,
    );
    expect(wrongPlace('src/a.ts')).toMatch(/^src\/a.ts: src has no room "a.ts"/);
  });

  test('in a circle are found', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(circles(circle)).toEqual([['b', 'd']]);
  });

  test('to a higher floor are also errors in an editor: biome.json has the floors', () => {
    const directory = temporaryDirectory();
    copyFileSync(join(root, 'biome.json'), join(directory, 'biome.json'));
    const isFolder = (room: string) => !room.endsWith('.ts');
    const planted = biomesFolders.flatMap((folder) =>
      (floors[folder] ?? []).flatMap((rooms, floor, all) => {
        const higher = all
          .slice(floor + 1)
          .flat()
          .filter(isFolder);
        return rooms.filter(isFolder).flatMap((room) =>
          higher.map((other) => {
            const inner = roomsWithRules[`${folder}/${room}`] ?? [];
            return {
              path: [folder, room, ...inner, `${other}.ts`].join('/'),
              source: `import '${'../'.repeat(inner.length + 1)}${other}/${other}.ts';\n`,
            };
          }),
        );
      }),
    );
    planted.push({ path: 'src/commands/email/a.ts', source: "import './b.ts';\n" });
    planted.push({ path: 'src/commands/email/b.ts', source: "import '../domain/list.ts';\n" });
    planted.push({ path: 'src/commands/email/c.ts', source: "import '../../sandbox/open.ts';\n" });
    planted.push({ path: 'src/commands/a.ts', source: "import './login.ts';\n" });
    for (const { path, source } of planted) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), source);
    }
    const { stdout } = spawnSync(
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      ['lint', '--only=noRestrictedImports', '--reporter=github', '--max-diagnostics=none'],
      { cwd: directory, encoding: 'utf8' },
    );
    const unseen = planted.filter(({ path }) => !stdout.includes(path));
    expect(unseen).toEqual([]);
  });

  test('are all recognised: the sources have no other form', () => {
    for (const path of sources) {
      // Every path of a source file in code must be an import's.
      const named = [...read(path).matchAll(/'(\.{1,2}\/[^']*\.(?:ts|json))'/g)].map(
        ([, name]) => name,
      );
      expect({ path, imports: importsOf(read(path)).map(({ from }) => from) }).toMatchObject({
        path,
        imports: expect.arrayContaining(named),
      });
    }
  });
});

/** The folders whose floors biome.json has, too. */
const biomesFolders = Object.keys(floors).filter((folder) =>
  /^src(\/sandbox|\/lib(\/[^/]+)?)?$/.test(folder),
);

/** Folders that have their rules in the folders below them: one of these. */
const roomsWithRules: Readonly<Record<string, readonly string[]>> = {
  'src/lib': ['base', 'text'],
  'src/sandbox': ['store'],
  'src/lib/base': ['text'],
  'src/lib/service': ['http'],
  'src/lib/command-line': ['output'],
  'src/lib/mail': ['content'],
  'src/lib/people': ['rows'],
  'src/lib/domains': ['domain'],
  'src/lib/runs': ['bulk'],
};

function isBarrel(source: string): boolean {
  const statements = source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const passesOn = /^export\s+(type\s+)?(\*|\{[^}]*\})/;
  return (
    statements.some((one) => passesOn.test(one)) &&
    statements.every((one) => passesOn.test(one) || /^import\s/.test(one))
  );
}

test('a barrel file is found', () => {
  expect(isBarrel("// All.\nexport { a } from './a.ts';\nexport * from './b.ts';\n")).toBe(true);
  expect(isBarrel("import { a } from './a.ts';\n\nexport { a };\n")).toBe(true);
  expect(isBarrel("export { a } from './a.ts';\nexport const b = 1;\n")).toBe(false);
});

describe('globals', () => {
  const users = (names: readonly string[], paths = sources) =>
    paths.filter((path) => globalsIn(read(path), names).length > 0);

  test('process is used only at the edge of the program', () => {
    expect(users(['process'])).toEqual([
      'src/cli/compile-cache.ts',
      'src/cli/executable.ts',
      'src/cli/extra-certificates.ts',
      'src/cli/process.ts',
      'src/cli/real-system.ts',
      // These load modules, or contain work, that would change the process or print warnings.
      'src/lib/service/account/config/load-conf.ts',
      'src/shared/load-sqlite.ts',
      'src/shared/without-warning.ts',
      'src/testing/index.ts',
    ]);
    const imported = sources.filter((path) =>
      importedPackages(read(path)).includes('node:process'),
    );
    expect(imported).toEqual([]);
  });

  test('process.exit is nowhere', () => {
    expect(users(['process.exit', 'process.reallyExit', 'process.abort'])).toEqual([]);
    expect(read('bin/mailer.js')).not.toMatch(/process\.(exit|abort)\(/);
  });

  test('the console is nowhere', () => {
    expect(users(['console'])).toEqual([]);
  });

  test('a command has its clock, randomness and network from its context', () => {
    const names = ['process', 'fetch', 'Date.now', 'Math.random', 'setTimeout', 'crypto'];
    expect(users(names, filesIn('src/commands/**/*.ts', 'src/api/*.ts'))).toEqual([]);
  });

  test.each([
    ['process.exitCode = 1;', ['process']],
    ['const { env } = process;', ['process']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    ['write(`${process.pid}`);', ['process']],
    ["const a: string = 'process.env'; // process.env", []],
    ['function f(process: Work) { return process.id + work.process; }', []],
    ['if (done) process.exit(1);', ['process.exit', 'process']],
    ['const at = Date.now();', ['Date.now']],
  ])('are checked: %s', (source, found) => {
    const names = ['process.exit', 'process', 'Date.now'];
    expect(names.filter((name) => globalsIn(source, [name]).length > 0)).toEqual(found);
  });
});

describe('an error', () => {
  const classOfErrors =
    /^(?:export )?(?:abstract )?class \w+ extends \w*Error\b.*\{\n[\s\S]*?^\}/gm;
  const fieldsOf = (source: string) =>
    [...source.matchAll(classOfErrors)].flatMap(([text]) => [
      ...text.matchAll(/^ {2}((?:[a-z]+ )*)(\w+)[?!]?(?:: | = )/gm),
    ]);
  const known = filesIn('src/lib/**/*.ts').flatMap((path) => fieldsOf(read(path)));
  const fields = [...new Set(['stack', 'cause', ...known.map(([, , name]) => name)])].join('|');
  const assigned = new RegExp(
    `(?<!\\bthis)\\.(${fields})\\s*(\\?\\?|\\|\\||&&)?=(?![=>])|Object\\.assign\\(\\w*([eE]rror|thrown|reason)\\b`,
  );
  const isChanging = (source: string) =>
    assigned.test(source) ||
    fieldsOf(source).some(([, modifiers = '']) => !/\breadonly /.test(modifiers));

  test('never changes: no field of it is assigned outside its constructor', () => {
    expect(fields.split('|')).toEqual(
      expect.arrayContaining(['message', 'details', 'unsent', 'hint']),
    );
    expect(sources.filter((path) => isChanging(read(path)))).toEqual([]);
  });

  test.each([
    ["error.message = 'x';", true],
    ['thrown.details = { ...thrown.details, hint };', true],
    ['reply.error.hint ??= more;', true],
    ['Object.assign(error, { path });', true],
    ['class Late extends Error {\n  after = 1;\n}', true],
    ['export class LateError extends MailerError {\n  after: number;\n}', true],
    ["const same = error.message === 'x';", false],
    ['class Late extends Error {\n  readonly after: number;\n}', false],
    ['class Late {\n  after = 1;\n}', false],
  ])('is checked: %j', (source, isFound) => {
    expect(isChanging(source)).toBe(isFound);
  });
});

describe('no file', () => {
  // Concatenated, so that this file does not contain them itself.
  const shared = new RegExp(
    ['\\.\\./sha', 'red(/(spec|wire|cli|design|moves|words|models|recordings)|\\b(?!/))'].join(''),
  );
  const types = [':\\s*an', 'y\\b|\\bas an', 'y\\b|<an', 'y>|@ts-ig', 'nore|@ts-noche', 'ck'].join(
    '',
  );
  const mocks = ['\\bvi\\.mo', 'ck\\(|\\bvi\\.domo', 'ck\\('].join('');
  const focus = ['\\b(test|describe|it)\\.on', 'ly\\b'].join('');
  const places = [root.replace(/\/$/, ''), homedir(), ['', 'root', ''].join('/')]
    .filter((place) => place.length > 4)
    .map((place) => place.replace(/[.+]/g, '\\$&'));
  const thisMachine = `(?<![\\w.~-])(${places.join('|')})`;

  const holding = (pattern: RegExp, paths: readonly string[]) =>
    paths.filter((path) => pattern.test(read(path)));

  test('names a path that only this machine has', () => {
    expect(holding(new RegExp(thisMachine), all)).toEqual([]);
    expect(holding(shared, all)).toEqual([]);
    expect(new RegExp(thisMachine).test(`see ${posix.join(root, 'x')}`)).toBe(true);
  });

  test('disables type checks', () => {
    expect(holding(new RegExp(types), filesIn('{src,test,bench}/**/*.ts'))).toEqual([]);
    for (const sample of ['a: ANY', 'b as ANY', 'new Map<ANY>()', '// @ts-IGNORE']) {
      const source = sample.replace(/ANY|IGNORE/, (word) => word.toLowerCase());
      expect(source).toMatch(new RegExp(types));
    }
  });

  test('checks values with superRefine, whose garbage survives small collections', () => {
    expect(holding(/\.superRefine\(/, filesIn('src/**/*.ts'))).toEqual([]);
  });

  test('has a loose object of Zod, in which a misspelt field compiles', () => {
    const loose = /\blooseObject\((?!\{\}\))|\.(?:loose|passthrough|catchall)\(/;
    const users = holding(loose, filesIn('src/**/*.ts'));
    // The first closes its type; nobody reads fields by the types of the second.
    expect(users).toEqual(['src/api/lenient.ts', 'src/shared/webhook/events.ts']);
  });

  test('of the tests mocks a module or focuses a test', () => {
    const tests = filesIn('test/**/*.ts');
    expect(tests.length).toBeGreaterThan(30);
    expect(holding(new RegExp(mocks), tests)).toEqual([]);
    expect(holding(new RegExp(focus), tests)).toEqual([]);
  });

  test('that several tests import has a hook: it would run for the first of them only', () => {
    const shared = filesIn('test/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
    expect(holding(/^(?:before|after)(?:All|Each)\(/m, shared)).toEqual([]);
  });
});

test('the types of Node are those of the oldest that the program runs on', () => {
  // npm wrote it and checked its shape.
  const { devDependencies, engines } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>;
    engines: { node: string };
  };
  const floor = engines.node.replace('>=', '');
  expect(devDependencies['@types/node']?.startsWith(`${floor}.`)).toBe(true);
});

test('an exported name is defined once, so that a search finds it', () => {
  const exported =
    /^export (?:declare )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const files = new Map<string, Set<string>>();
  // Tests of other projects import src/testing, which imports nothing from here: its names are theirs.
  for (const path of sources.filter((one) => !one.startsWith('src/testing/'))) {
    for (const [, name = ''] of read(path).matchAll(exported)) {
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  // Every command exports it, for the manifest.
  files.delete('command');
  const twice = [...files].filter(([, paths]) => paths.size > 1);
  expect(twice.map(([name, paths]) => [name, ...paths])).toEqual([]);
});

test('every installed package is used', () => {
  // @commander-js/extra-typings types and re-exports commander.
  const tools = ['@biomejs/biome', 'node', 'typescript', 'commander'];
  // Packages of users' projects: see test/support/packages.ts.
  const ofProjects = ['@react-email/render', 'esbuild', 'mjml', 'react', 'react-dom'];
  // npm wrote it and checked its shape.
  const { devDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>;
  };
  const users = filesIn('{src,test,bench}/**/*.ts', 'scripts/**/*.js').map(read);
  const used = new Set(users.flatMap(importedPackages));
  const unused = Object.keys(devDependencies)
    .filter((name) => !name.startsWith('@types/') && ![...tools, ...ofProjects].includes(name))
    .filter((name) => !used.has(name));
  expect(unused).toEqual([]);
});
