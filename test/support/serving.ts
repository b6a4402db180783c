import { onTestFinished } from 'vitest';
import { InterruptedError } from '../../src/lib/base/errors.ts';
import { split } from './process.ts';
import type { Outcome, RunOptions, World } from './run.ts';
import { type Announcement, readAnnouncement } from './served.ts';

/** A sandbox that the test's own process serves. */
export interface Serving extends Announcement {
  /** The environment with which the program uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<Outcome>;
}

/** Runs `sandbox start` in a world, by default on a free port, and waits for the line with its URL. */
export async function serveIn(
  world: World,
  words: string | readonly string[] = [],
  options: RunOptions = {},
): Promise<Serving> {
  const ctrlC = new AbortController();
  const first = Promise.withResolvers<string>();
  let stdout = '';
  let stderr = '';
  const flags = split(words);
  const port = flags.includes('--port') ? [] : ['--port', '0'];
  const ended = world.run(['sandbox', 'start', '--json', ...port, ...flags], {
    ...options,
    signal: ctrlC.signal,
    written(piece, stream) {
      if (stream === 'stdout') stdout += String(piece);
      else stderr += String(piece);
      // Which it says last.
      if (stderr.includes('Ctrl-C stops it.')) first.resolve(stdout);
    },
  });
  ended.then(({ stderr }) => first.reject(new Error(`it has ended: ${stderr}`)), first.reject);
  const stop = () => {
    ctrlC.abort(new InterruptedError('Interrupted.'));
    return ended;
  };
  onTestFinished(async () => {
    await stop();
  });
  const announcement = readAnnouncement(await first.promise);
  const { url, baseUrl, apiKey } = announcement;
  // Loads its pages, for which commands that look whether it runs would wait too long.
  await (await fetch(url)).arrayBuffer();
  return { ...announcement, env: { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey }, stop };
}
