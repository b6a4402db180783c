import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
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
