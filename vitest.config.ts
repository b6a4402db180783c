import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isScript, scriptText } from './scripts/build/script-text.js';
import { emptyProcess, patienceFor } from './scripts/test/patience.js';

// The workers inherit it: see test/support/patience.ts.
const patience = Number(process.env.MAILER_TEST_PATIENCE ?? patienceFor(emptyProcess()));
process.env.MAILER_TEST_PATIENCE = String(patience);

const assetPrefix = '\0asset-as-text:';
const jqText = '\0jq-as-text';
const noBuild = '\0no-build';

/** Gives files in `assets`, jq and scripts as text, as the bundler does for an import `with { type: 'text' }`. */
const assetsAsText: Plugin = {
  name: 'assets-as-text',
  enforce: 'pre',
  // Under names without a suffix: vitest would empty what is called `.css`.
  resolveId(source, importer) {
    if (source === 'jq-wasm/text') return jqText;
    if (source === 'mailer-build') return noBuild;
    if (isScript(source)) return `\0${source}`;
    const name = /^\.\/assets\/(.+)$/.exec(source)?.[1];
    if (name === undefined || !/\/src\/sandbox\/inbox\/[^/]+$/.test(importer ?? ''))
      return undefined;
    return `${assetPrefix}sandbox/inbox/assets/${name}`.replaceAll('.', '|');
  },
  async load(id) {
    if (isScript(id.slice(1))) {
      return `export default ${JSON.stringify(await scriptText(id.slice(1)))}`;
    }
    // The sources themselves are not built.
    if (id === noBuild) return 'export default { commit: null, built: null, packages: [] }';
    if (id === jqText) {
      const file = new URL('node_modules/jq-wasm/dist/inline.cjs', import.meta.url);
      return `export default ${JSON.stringify(readFileSync(file, 'utf8'))}`;
    }
    if (!id.startsWith(assetPrefix)) return undefined;
    const name = id.slice(assetPrefix.length).replaceAll('|', '.');
    const text = readFileSync(new URL(`src/${name}`, import.meta.url), 'utf8');
    return `export default ${JSON.stringify(text)}`;
  },
};

/**
 * Starts what takes long first, so that no worker is left alone with it at the end. A clean checkout
 * does not know how long each file took.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = /[\\/]test[\\/](simulation|browser|process)[\\/]/;
    return [true, false].flatMap((long) =>
      sorted.filter((file) => isLong.test(file.moduleId) === long),
    );
  }
}

export default defineConfig({
  plugins: [assetsAsText],
  test: {
    include: ['test/**/*.test.ts'],
    // They have a configuration of their own: npm run test:release.
    exclude: ['**/node_modules/**', 'test/release/**'],
    globalSetup: 'test/support/run-directory.ts',
    // They only end what hangs.
    testTimeout: patience,
    hookTimeout: patience,
    // Many of them wait for what they have started: process tests use about half of a core.
    maxWorkers: availableParallelism() + 2,
    // The files of a worker share the modules of the program, which costs half the time otherwise:
    // what a module keeps is the same for every command line, and a test leaves nothing behind.
    isolate: false,
    // Objects of a test die young: more room for them means less work for the garbage collector. And jq is run for
    // an expression or two, so that to optimise it takes more than it saves.
    execArgv: ['--max-semi-space-size=64', '--liftoff-only'],
    sequence: { sequencer: LongFirst },
    env: { TZ: 'UTC', FORCE_COLOR: '', NO_COLOR: '' },
    snapshotSerializers: [],
  },
});
