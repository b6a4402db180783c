/**
 * Like `read`, but calls it only once for equal consecutive words: rows often share a time, and reading one
 * in English is slow (docs/performance.md).
 */
export function readOncePerGroup<Value>(
  read: (words: string) => Promise<Value>,
): (words: string) => Promise<Value> {
  let last: { words: string; value: Promise<Value> } | undefined;
  return async (words) => {
    if (last?.words !== words) last = { words, value: read(words) };
    return await last.value;
  };
}
