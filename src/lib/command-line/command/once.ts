/** A function that does its work only at the first call, and tells whether it was called. */
export function once<Value>(
  work: () => Promise<Value>,
): (() => Promise<Value>) & { called(): boolean } {
  let result: Promise<Value> | undefined;
  const first = () => {
    result ??= work();
    return result;
  };
  return Object.assign(first, { called: () => result !== undefined });
}
