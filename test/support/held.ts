import { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import type { Handler } from './batch-service.ts';

/** A response that comes when the test says so. */
export function held(then: Handler): { readonly answer: Handler; comes(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    comes: resolve,
    async answer(response, request) {
      await promise;
      then(response, request);
    },
  };
}

/** What the program loads before it shows that something takes long. */
const loaded = [
  () => import('ora'),
  () => import('../../src/lib/base/terminal/live-region.ts'),
  () => import('../../src/lib/people/rows/progress-lines.ts'),
  () => import('../../src/lib/command-line/output/palette.ts'),
  () => import('chalk'),
];

/**
 * A response that takes long enough for a spinner or a bar to appear, if any is to appear. Until the end of the test,
 * the timers with which they are drawn stand still otherwise.
 */
export function long(then: Handler): Handler {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return async (response, request) => {
    vi.advanceTimersByTime(1000);
    // The program has asked for these before.
    for (const load of loaded) await load();
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    vi.advanceTimersByTime(1000);
    then(response, request);
  };
}
