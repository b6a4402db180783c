import { clearTimeout, setTimeout } from 'node:timers';

/** How often a served sandbox checks for due jobs, in milliseconds of real time. */
const interval = 250;

/** Runs `work` periodically, so that mail is delivered without requests. Logs the first error of a series. */
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
