import type { RunOptions, World } from './run.ts';
import { withoutTime } from './time-limits.ts';

/** The result of TAB: values with their descriptions, or that the shell should complete files. */
export type Completed = Readonly<Record<string, string>> | 'files';

/**
 * Presses TAB after these words, of which the last is being typed; a string is split at spaces. Uses the
 * protocol of fish, which accepts all candidates. Expects nothing on stderr.
 */
export async function complete(
  world: World,
  typed: string | readonly string[],
  options?: RunOptions,
): Promise<Completed> {
  const words = typeof typed === 'string' ? typed.split(' ') : typed;
  // Completion waits half a second for a service, and a test for as long as it takes.
  const { exitCode, stdout, stderr } = await withoutTime(() =>
    world.run(['__complete', 'fish', ...words], options),
  );
  if (stderr !== '') throw new Error(`on stderr: ${stderr}`);
  if (exitCode === 1 && stdout === '') return 'files';
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  const lines = stdout.split('\n').slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => {
      const [value = '', description = '', ...more] = line.split('\t');
      if (more.length > 0) throw new Error(`a second tab in: ${line}`);
      return [value, description];
    }),
  );
}

/** Only the values. */
export async function valuesOf(...asked: Parameters<typeof complete>): Promise<string[]> {
  const completed = await complete(...asked);
  if (completed === 'files') throw new Error('files are meant');
  return Object.keys(completed);
}
