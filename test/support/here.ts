import { onTestFinished } from 'vitest';
import { serve } from '../../src/sandbox/http/serve.ts';
import { openSandbox } from '../../src/sandbox/open.ts';
import type { Place } from './process.ts';
import { createWorld, type Outcome, type World } from './run.ts';
import type { ServedSandbox } from './served.ts';

// What a test needs beside the processes that it is about: in its own process, because each other one takes
// longer to start than to work.

/** What is of a place to programs in this process. */
type Files = Pick<Place, 'env' | 'home'>;

/** A world with the files and the environment of a place. */
export function worldOf({ env, home }: Files): World {
  const world = createWorld(env, home);
  world.clock.now = Date.now();
  return world;
}

/** Runs a command line on the files of a place. */
export async function runHere(
  place: Files,
  words: string | readonly string[],
  {
    input,
    ...options
  }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Outcome> {
  return await worldOf(place).run(words, { ...options, stdin: input });
}

/** Serves the sandbox of a place. */
export async function serveHere({
  sandboxDirectory: directory,
}: Place): Promise<Omit<ServedSandbox, 'process'>> {
  const sandbox = openSandbox({ directory, now: Date.now });
  const { origin, url: baseUrl, port, close } = await serve({ fetch: sandbox.fetch, port: 0 });
  onTestFinished(async () => {
    await close();
    sandbox.close();
  });
  const { apiKey } = sandbox;
  const env = { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey };
  return { url: origin, baseUrl, port, smtpPort: 0, dnsPort: 0, apiKey, env };
}
