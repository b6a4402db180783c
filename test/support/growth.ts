/**
 * How many times as much computing time `work` takes for `times` the size: about `times` where it
 * is linear, its square where it is quadratic. What else the machine does hardly changes it.
 */
export async function growth(
  work: (size: number) => unknown,
  size: number,
  times: number,
): Promise<number> {
  // The first time, files are loaded and compiled.
  await work(size);
  const once = await computing(() => work(size));
  return (await computing(() => work(size * times))) / once;
}

/** Microseconds of this process. */
async function computing(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
