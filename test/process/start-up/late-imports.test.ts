import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../../../src/commands/manifest.ts';
import { createPlace, root } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

/** A late import in the build: the file or module, and the exports it uses. */
const lateImport =
  /Promise\.resolve\(\)\.then\(\(\) => [^\n]*?require\("([^"]+)"\)(?:\)\.then\(\(n\) => n\.(\w+))?/g;

interface LateImport {
  readonly of: string;
  readonly name?: string | undefined;
}

function lateImportsIn(text: string): LateImport[] {
  return [...text.matchAll(lateImport)].map(([, of = '', name]) => ({ of, name }));
}

function builtFiles(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.cjs'));
}

const dist = join(root, 'dist');
const forExecutable = mkdtempSync(join(tmpdir(), 'mailer-late-executable-'));

beforeAll(async () => {
  await runScript(`
    import { bundle } from '${moduleAt('scripts/build/bundle.js')}';
    await bundle('src/cli/executable.ts', ${JSON.stringify(forExecutable)});
  `);
});

afterAll(() => rmSync(forExecutable, { recursive: true, force: true }));

function moduleAt(path: string): string {
  return pathToFileURL(join(root, path)).href;
}

async function runScript(script: string): Promise<string> {
  const words = ['--no-warnings', '--input-type=module', '--eval', script];
  const { stdout } = await execa(process.execPath, words);
  return stdout;
}

describe.each([
  ['package', dist],
  ['executable', forExecutable],
])('in the build for the %s', (_, directory) => {
  test('import() is replaced by require(), which is faster', () => {
    const left = builtFiles(directory).filter((name) =>
      /\bimport\s*\(/.test(readFileSync(join(directory, name), 'utf8')),
    );
    // It contains, as text, the script that imports a component of the user's project.
    expect(left.filter((name) => !/^project-\w{8}\.cjs$/.test(name))).toEqual([]);
  });

  test('every late import is of an existing file, or a module of Node', () => {
    const files = builtFiles(directory);
    const imports = files.flatMap((name) =>
      lateImportsIn(readFileSync(join(directory, name), 'utf8')),
    );
    expect(imports.length).toBeGreaterThan(manifest.length);
    const missing = imports.filter(({ of }) => !isBuiltin(of) && !files.includes(of.slice(2)));
    expect(missing).toEqual([]);
  });
});

test('every file of the package loads, and exports what late imports use', async () => {
  const imports = builtFiles(dist).flatMap((name) =>
    lateImportsIn(readFileSync(join(dist, name), 'utf8')),
  );
  const stdout = await runScript(`
    import { createRequire } from 'node:module';
    const load = createRequire(${JSON.stringify(join(dist, 'process.cjs'))});
    const broken = [];
    for (const name of ${JSON.stringify(builtFiles(dist))}) {
      try {
        load('./' + name);
      } catch (error) {
        broken.push([name, error.message]);
      }
    }
    for (const { of, name } of ${JSON.stringify(imports)}) {
      if (name !== undefined && load(of)[name] === undefined) broken.push([of, name]);
    }
    process.stdout.write(JSON.stringify(broken));
  `);
  expect(JSON.parse(stdout)).toEqual([]);
});

test('api -i shows status and headers', async () => {
  const { baseUrl } = await startRecorder({ headers: { 'x-request-id': 'r1' }, body: { a: 1 } });
  const env = { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: baseUrl };
  const outcome = await createPlace(env).run('api GET /v1/x -i');
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  expect(outcome.stdout).toMatch(/^HTTP 200 OK\n(.+\n)*x-request-id: r1\n(.+\n)*\n\{"a":1\}\n$/);
});
