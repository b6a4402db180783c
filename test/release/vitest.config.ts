import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// What npm run test:release runs: it installs and builds, so that a file takes minutes.
// biome-ignore lint/style/noDefaultExport: vitest wants it.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/release/*.test.ts'],
    globalSetup: 'test/support/run-directory.ts',
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Each file keeps a processor busy, and some have a Debian of their own.
    maxWorkers: 2,
    env: { TZ: 'UTC', FORCE_COLOR: '', NO_COLOR: '' },
  },
});
