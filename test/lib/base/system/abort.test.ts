import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { unlessAborted } from '../../../../src/lib/base/system/abort.ts';

test.each(['before', 'meanwhile'])(
  'work that fails after the abort, %s, is not an unhandled rejection',
  async (when) => {
    const unhandled: unknown[] = [];
    // Replaces the test runner's own listener, which would fail the run.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason) => unhandled.push(reason));
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
    });
    const controller = new AbortController();
    const work = Promise.withResolvers<never>();
    if (when === 'before') controller.abort(new Error('called off'));
    const ended = unlessAborted(controller.signal, work.promise);
    controller.abort(new Error('called off'));
    await expect(ended).rejects.toThrow('called off');
    work.reject(new Error('too late'));
    // Node reports unhandled rejections between two turns of its event loop.
    await setImmediate();
    expect(unhandled).toEqual([]);
  },
);
