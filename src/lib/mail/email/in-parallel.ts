/** Requests at the same time; the rate limit makes them wait if that is too many. */
const together = 8;

/** Results of requests about each item, in the same order; some are made side by side. After a failure, no more begin. */
export async function inParallel<Item, Value>(
  items: readonly Item[],
  request: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const left = items.entries();
  let failed = false;
  const worker = async () => {
    // All workers take from one iterator.
    for (const [index, item] of left) {
      if (failed) return;
      try {
        results[index] = await request(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, worker));
  return results;
}
