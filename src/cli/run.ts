import type { System } from '../lib/system/system.ts';
import { write } from '../lib/terminal/write.ts';
import { fixedText } from './fixed-text.ts';

/**
 * Runs one command line and returns the exit code. `argv` are the words after the program's name.
 * All effects go through `system`; nothing is thrown.
 */
export async function run(argv: readonly string[], system: System): Promise<number> {
  return (await runWithLittle(argv, system)) ?? (await runWithAll(argv, system));
}

async function runWithAll(argv: readonly string[], system: System): Promise<number> {
  const { runCommand } = await import('./run-command.ts');
  return await runCommand(argv, system);
}

/**
 * What goes past all that a command needs, as it is asked for while somebody waits: fixed texts,
 * and what shells ask for at each TAB. Undefined for other command lines.
 */
async function runWithLittle(argv: readonly string[], system: System): Promise<number | undefined> {
  if (argv[0] === '__complete') {
    const { complete } = await import('./complete.ts');
    return await complete(argv.slice(1), system);
  }
  const text = fixedText(argv);
  if (text === undefined) return undefined;
  try {
    await write(system.stdout, text, system.signal);
    return 0;
  } catch {
    return undefined;
  }
}
