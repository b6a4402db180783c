import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../../../src/commands/manifest.ts';
import {
  createPlace,
  isExecutable,
  type Place,
  root,
  temporaryDirectory,
} from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { read } from '../../support/sources.ts';

/** The packages that a help page loads. */
const commander = ['@commander-js/extra-typings', 'commander'];

/** Modules that a help page may load: Node has already loaded them, or they take no time. */
const ofNode = ['events', 'fs', 'module', 'path', 'process', 'url', 'util'].map(
  (name) => `node:${name}`,
);

const dist = join(root, 'dist');
const file = join(root, 'bin', 'mailer.js');
const directory = mkdtempSync(join(tmpdir(), 'mailer-trace-'));
const preload = join(directory, 'trace.cjs');
let outputs: Readonly<Record<string, Output>>;

/** A file of the build, as `scripts/build/build.js` describes it. */
interface Output {
  /** The source that it is the entry of. */
  readonly entry?: string;
  readonly sources: readonly string[];
  /** Files of the build and modules of Node loaded with it. */
  readonly imports: readonly string[];
}

/** Writes the files and modules of Node that were loaded to the file that TRACE names. */
const traceScript = `
const { writeFileSync } = require('node:fs');
const before = process.moduleLoadList.length;
const Format = Intl.DateTimeFormat;
let formats = 0;
Intl.DateTimeFormat = (...given) => {
  formats++;
  return new Format(...given);
};
process.on('exit', () => {
  const builtIn = process.moduleLoadList.slice(before);
  writeFileSync(process.env.TRACE, JSON.stringify({ files: Object.keys(require.cache), builtIn, formats }));
});
`;

beforeAll(() => {
  writeFileSync(preload, traceScript);
  // Written by the build, in this shape.
  outputs = JSON.parse(read('node_modules/.cache/build.json')) as typeof outputs;
});

/** The sources in a file of the build; its name is relative to `dist`. */
function sourcesOf(file: string): readonly string[] {
  const output = outputs[file];
  if (output === undefined) throw new Error(`${file} is not of this build`);
  return output.sources;
}

afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(({ skip }) => skip(isExecutable, 'an executable is one file'));

interface Loaded {
  readonly stdout: string;
  /** Files of the build that were loaded. */
  readonly files: readonly string[];
  /** Names of the packages whose sources are in them. */
  readonly packages: ReadonlySet<string>;
  /** Node's own modules. */
  readonly builtIn: ReadonlySet<string>;
  /** How often the machine was asked for its time zone, or for a format of times. */
  readonly formats: number;
}

/** What command lines have loaded on a place with a profile, each started once. */
const known = new Map<string, Promise<Loaded>>();

function load(words: string): Promise<Loaded> {
  const loaded = known.get(words) ?? loadOnPlace(words);
  known.set(words, loaded);
  return loaded;
}

async function loadOnPlace(words: string): Promise<Loaded> {
  const service = await startRecorder({ body: [] });
  return await loadIn(withProfile(service.baseUrl), words);
}

function withProfile(baseUrl: string): Place {
  const place = createPlace({ XDG_CACHE_HOME: temporaryDirectory() });
  const profiles = { default: { baseUrl, apiKey: 'us_key_1234567890' } };
  writeProfiles(place, profiles);
  return place;
}

function writeProfiles({ configDirectory }: Place, profiles: object): void {
  mkdirSync(configDirectory, { mode: 0o700 });
  writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles }), {
    mode: 0o600,
  });
}

async function loadIn(place: Place, words: string | readonly string[]): Promise<Loaded> {
  const trace = join(place.home, 'trace');
  const env = { TRACE: trace, NODE_OPTIONS: `--require=${preload}` };
  const { exitCode, stdout, stderr } = await place.run(words, { env, file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  // Written by the script above.
  const loaded = JSON.parse(readFileSync(trace, 'utf8')) as Record<'files' | 'builtIn', string[]> &
    Pick<Loaded, 'formats'>;
  const files = loaded.files.map((path) => basename(path)).filter((name) => name in outputs);
  const builtIn = loaded.builtIn.flatMap((one) => {
    const [, name] = /^NativeModule (?!internal)(.+)$/.exec(one) ?? [];
    return name === undefined ? [] : [`node:${name}`];
  });
  return { ...loaded, stdout, files, packages: packagesIn(files), builtIn: new Set(builtIn) };
}

/** Names of the packages whose sources are in these files. */
function packagesIn(files: readonly string[]): ReadonlySet<string> {
  const names = files
    .flatMap(sourcesOf)
    .map((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? '');
  return new Set(names.filter((name) => name !== ''));
}

/** What importing the file of a command loads, according to the build. */
function importedBy(words: readonly string[]): Pick<Loaded, 'files' | 'packages' | 'builtIn'> {
  const source = `src/commands/${words.join('/')}.ts`;
  const start = Object.keys(outputs).find((name) => outputs[name]?.entry === source);
  if (start === undefined) throw new Error(`${source} is not a file of its own in the build`);
  const names = new Set([start]);
  const builtIn = new Set<string>();
  // Iterating a set includes what is added during it.
  for (const name of names) {
    for (const path of outputs[name]?.imports ?? []) {
      (path.startsWith('node:') ? builtIn : names).add(path);
    }
  }
  const files = [...names];
  return { files, packages: packagesIn(files), builtIn };
}

/** What is loaded but not needed for a help page; should be empty. */
const tooMuch = ({ packages, builtIn }: Pick<Loaded, 'packages' | 'builtIn'>) => [
  ...[...packages].filter((name) => !commander.includes(name)),
  ...[...builtIn].filter((name) => !ofNode.includes(name)),
];

/** Modules of Node that take at least a millisecond to load. */
const heavy = [
  'assert',
  'child_process',
  'crypto',
  'dns',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'sqlite',
  'stream',
  'tls',
  'tty',
  'v8',
  'worker_threads',
  'zlib',
].map((name) => `node:${name}`);

const heavyIn = ({ builtIn }: Loaded) => heavy.filter((name) => builtIn.has(name));

describe('only needed libraries are loaded for the help page of', () => {
  test.each(manifest.map(({ words }) => words.join(' ')))('%s', (command) => {
    expect(tooMuch(importedBy(command.split(' ')))).toEqual([]);
  });

  test('api, but not what it does', () => {
    const sources = importedBy(['api']).files.flatMap(sourcesOf);
    expect(
      sources.filter((source) => /^src\/lib\/(endpoint\/|output\/print)/.test(source)),
    ).toEqual([]);
  });
});

describe('only needed libraries are loaded for', () => {
  test.each([
    '--version',
    '--help',
    'email --help',
    'email send --help',
    'completion bash',
    '__complete fish ema',
    '__complete fish email send --wait=',
  ])('%s', async (words) => {
    const loaded = await load(words);
    expect(loaded.stdout).not.toBe('');
    expect(tooMuch(loaded)).toEqual([]);
  });

  test('sandbox path, except for printing', async () => {
    const loaded = await load('sandbox path');
    expect([...loaded.packages].sort()).toEqual(commander);
    expect(heavyIn(loaded)).toEqual([]);
  });

  test("the page of a command: only this command's file", async () => {
    const commands = (await load('email send --help')).files
      .flatMap(sourcesOf)
      .filter((source) => source.startsWith('src/commands/'));
    expect(commands.sort()).toEqual(['src/commands/email/send.ts', 'src/commands/manifest.ts']);
  });
});

describe('at TAB', () => {
  test('a flag takes only the file of its command', async () => {
    const { files, stdout } = await load('__complete fish email send --');
    expect(stdout).toContain('--subject');
    const commands = files
      .flatMap(sourcesOf)
      .filter((source) => source.startsWith('src/commands/'));
    expect(commands.sort()).toEqual(['src/commands/email/send.ts', 'src/commands/manifest.ts']);
  });

  test('a list loads support for wide characters only if it has some', async () => {
    const list = ['__complete', 'bash', '63', '80'];
    const place = createPlace({ XDG_CACHE_HOME: temporaryDirectory() });
    const plain = await loadIn(place, [...list, 'mailer email get x --', '--']);
    expect(plain.stdout).toContain('--wait  ');
    expect(plain.packages).not.toContain('string-width');
    writeProfiles(place, { 日本: { baseUrl: 'https://a.example/api' }, b: {} });
    const wide = await loadIn(place, [...list, 'mailer profile use ', '']);
    expect(wide.stdout).toContain('日本  (https://a.example/api)');
    expect(wide.packages).toContain('string-width');
  });

  test('a name in the cache takes no client', async () => {
    const service = await startRecorder({ body: { campaigns: [{ id: 'c1', name: 'Spring' }] } });
    const place = withProfile(service.baseUrl);
    const words = '__complete fish campaign get Sp';
    expect((await loadIn(place, words)).packages).toContain('zod');
    const loaded = await loadIn(place, words);
    expect(loaded.stdout).toBe('Spring\t\n');
    expect(service.requests).toHaveLength(1);
    expect([...loaded.packages].sort()).toEqual(commander);
    expect(heavyIn(loaded)).toEqual(['node:crypto', 'node:stream']);
  });
});

describe('as many bytes as docs/size.md allows are loaded for', () => {
  const limits = read('docs/size.md').matchAll(/bytes loaded for `mailer (.+)` \| ([\d,]+) \|/g);
  test.each([...limits].map(([, words = '', limit = '']) => [words, limit]))(
    '%s: %s',
    async (words, limit) => {
      const { files } = await load(words);
      const bytes = files.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
      expect(bytes).toBeLessThanOrEqual(Number(limit.replaceAll(',', '')));
      expect(bytes).toBeGreaterThan(Number(limit.replaceAll(',', '')) * 0.8);
    },
  );
});

test('the time zone of the machine, which takes as long as starting Node, is not asked for in a pipe', async () => {
  expect((await load('email list --sandbox')).formats).toBe(0);
});

describe('all that is loaded, for', () => {
  test.each<
    [words: string, files: number, packages: readonly string[], builtIn: readonly string[]]
  >([
    ['--version', 2, [], []],
    ['-V', 2, [], []],
    ['completion bash', 2, [], []],
    ['completion zsh', 2, [], []],
    ['--help', 4, commander, []],
    ['email --help', 4, commander, []],
    ['email send --help', 6, commander, []],
    ['domain list --json', 40, [...commander, 'zod'], ['node:http', 'node:net', 'node:stream']],
  ])('%s: at most %i files', async (words, most, packages, builtIn) => {
    const loaded = await load(words);
    expect(loaded.files.length, loaded.files.join()).toBeLessThanOrEqual(most);
    expect([...loaded.packages].sort()).toEqual(packages);
    expect(heavyIn(loaded)).toEqual(builtIn);
  });
});

describe('the check above sees', () => {
  test('in the build everything that Node loads for a help page', async () => {
    const { files: ofGroup } = await load('email --help');
    const { files } = await load('email send --help');
    // The names of fields are read for every command.
    const isOfAll = (file: string) => sourcesOf(file).includes('src/cli/field-names.ts');
    const own = files.filter((file) => !ofGroup.includes(file) && !isOfAll(file));
    expect(own).not.toEqual([]);
    expect(importedBy(['email', 'send']).files).toEqual(expect.arrayContaining(own));
  });

  test('what a command on the embedded service loads', async () => {
    const { packages, builtIn } = await load('email list --sandbox');
    expect([...packages]).toEqual(expect.arrayContaining(['zod', 'hono']));
    expect([...packages].filter((name) => /^(undici|conf|ora|@inquirer)/.test(name))).toEqual([]);
    expect(builtIn.size).toBeGreaterThan(0);
  });
});
