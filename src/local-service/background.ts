import { clearTimeout, setTimeout } from 'node:timers';

/** How often a served sandbox looks for what has become due, in milliseconds of real time. */
const interval = 250;

/** The pause while there is work left, in which requests are answered. */
const shortPause = 50;

/**
 * Runs `work` now and then, so that a served sandbox delivers mail while nobody asks it anything.
 * It returns whether it has more to do, and is run again sooner then. What it throws is told to
 * `log`, once until it works again. The returned function ends it.
 */
export function inBackground(work: () => boolean, log: (line: string) => void): () => void {
  let failing = false;
  let timer = setTimeout(run, interval);
  return () => clearTimeout(timer);

  function run(): void {
    let pause = interval;
    try {
      if (work()) pause = shortPause;
      failing = false;
    } catch (error) {
      if (!failing) log(error instanceof Error ? error.message : String(error));
      failing = true;
    }
    timer = setTimeout(run, pause);
  }
}
