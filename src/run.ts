import type { System } from './lib/system.ts';
import { write } from './lib/write.ts';

/**
 * Runs one command line and returns the exit code. `argv` are the words after the program's name.
 * All effects go through `system`; nothing is thrown.
 */
export async function run(argv: readonly string[], system: System): Promise<number> {
  return (await runForShell(argv, system)) ?? (await runWithAll(argv, system));
}

async function runWithAll(argv: readonly string[], system: System): Promise<number> {
  const main = await import('./main.ts');
  return await main.run(argv, system);
}

/**
 * What shells run by themselves, at their start and at each TAB, while somebody waits: it goes past
 * all that a command needs. Undefined for other command lines, and for what has to be explained.
 */
async function runForShell(
  [name, ...args]: readonly string[],
  system: System,
): Promise<number | undefined> {
  if (name === '__complete') {
    const { complete } = await import('./complete.ts');
    return await complete(args, system);
  }
  if (name !== 'completion' || args.length !== 1) return undefined;
  const { shellNamed } = await import('./lib/completion/shell.ts');
  const shell = await shellNamed(args[0]);
  if (shell === undefined) return undefined;
  try {
    await write(system.stdout, shell.script, system.signal);
    return 0;
  } catch {
    return undefined;
  }
}
