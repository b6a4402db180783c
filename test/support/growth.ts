/** A collection of garbage or a compilation in the middle can make one measurement of a short work many times too long. */
const rounds = 3;

/**
 * The factor by which the processor time of `work` grows for `times` the size: about `times` if it is linear,
 * the square of that if quadratic. If it looks like more than linear, each time is the least of several, so that
 * neither other load on the machine nor an unlucky moment counts.
 */
export async function growth(
  work: (size: number) => unknown,
  size: number,
  times: number,
): Promise<number> {
  // The first call loads and compiles files.
  await work(size);
  let once = await computing(() => work(size));
  let grown = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    once = Math.min(once, await computing(() => work(size)));
    grown = Math.min(grown, await computing(() => work(size * times)));
    // More rounds could only make it less.
    if (grown / once < times ** 1.2) break;
  }
  return grown / once;
}

/** Processor time in microseconds. */
async function computing(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
