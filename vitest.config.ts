import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';

/** Gives the inbox's files as text, as the bundler does for an import `with { type: 'text' }`. */
const assetsAsText: Plugin = {
  name: 'assets-as-text',
  enforce: 'pre',
  load(id) {
    if (!id.includes('/src/sandbox/inbox/assets/')) return undefined;
    return `export default ${JSON.stringify(readFileSync(id, 'utf8'))}`;
  },
};

export default defineConfig({
  plugins: [assetsAsText],
  test: {
    include: ['test/**/*.test.ts'],
    // Process tests start whole programs; the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many of them wait for what they have started.
    maxWorkers: availableParallelism() + 1,
    reporters: process.env.CI ? ['default', './scripts/tally-reporter.js'] : ['default'],
    env: { TZ: 'UTC', FORCE_COLOR: '', NO_COLOR: '' },
    snapshotSerializers: [],
  },
});
