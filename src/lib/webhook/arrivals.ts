import { unlessAborted } from '../system/abort.ts';

/** A queue of what arrives. `next` waits for something, and rejects with the signal's reason on an abort. */
export function arrivals<Item>(signal: AbortSignal): {
  add(item: Item): void;
  next(): Promise<Item>;
} {
  const waiting: Item[] = [];
  let wake = () => {};
  return {
    add(item) {
      waiting.push(item);
      wake();
    },
    async next() {
      for (;;) {
        const item = waiting.shift();
        if (item !== undefined) return item;
        await unlessAborted(
          signal,
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
        );
      }
    },
  };
}
