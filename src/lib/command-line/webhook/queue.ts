import { unlessAborted } from '../../base/system/abort.ts';

/** A queue of what arrives. `next` waits for something, and rejects with the signal's reason on an abort. */
export function createQueue<Item>(signal: AbortSignal) {
  const waiting: Item[] = [];
  let wake = () => {};
  return {
    add(item: Item): void {
      waiting.push(item);
      wake();
    },
    async next(): Promise<Item> {
      for (;;) {
        const item = waiting.shift();
        if (item !== undefined) return item;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await unlessAborted(signal, promise);
      }
    },
  };
}
