/**
 * The factor by which the processor time of `work` grows for `times` the size: about `times` if it is linear,
 * the square of that if quadratic. Other load on the machine hardly affects it.
 */
export async function growth(
  work: (size: number) => unknown,
  size: number,
  times: number,
): Promise<number> {
  // The first call loads and compiles files.
  await work(size);
  const once = await computing(() => work(size));
  return (await computing(() => work(size * times))) / once;
}

/** Processor time in microseconds. */
async function computing(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
