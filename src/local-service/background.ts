import { clearTimeout, setTimeout } from 'node:timers';

/** How often a served sandbox looks for what has become due, in milliseconds of real time. */
const interval = 250;

/**
 * Runs `work` now and then, so that a served sandbox delivers mail while nobody asks it anything.
 * What it throws is told to `log`, once until it works again. The returned function ends it.
 */
export function inBackground(work: () => void, log: (line: string) => void): () => void {
  let failing = false;
  let timer = setTimeout(run, interval);
  return () => clearTimeout(timer);

  function run(): void {
    try {
      work();
      failing = false;
    } catch (error) {
      if (!failing) log(error instanceof Error ? error.message : String(error));
      failing = true;
    }
    timer = setTimeout(run, interval);
  }
}
