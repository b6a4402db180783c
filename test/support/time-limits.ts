import { vi } from 'vitest';
import { patience } from './patience.ts';

/**
 * A time limit for the program, in seconds, that ends while a test waits for it: enough for what responds at once, on a
 * slow machine, too, and less than the program's own limit for a connection.
 */
export const shortLimit = Math.min(Math.ceil(patience / 120), 9_000) / 1000;

/**
 * Does work during which no time passes for the program's own limits, unless the test lets it pass with
 * `vi.advanceTimersByTimeAsync`, so that they end in the same place on every machine.
 */
export async function withoutTime<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    setTimeout(() => controller.abort(over), ms);
    return controller.signal;
  });
  try {
    return await work();
  } finally {
    limits.mockRestore();
    vi.useRealTimers();
  }
}
