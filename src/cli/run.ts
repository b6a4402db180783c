import type { System } from '../lib/base/system/system.ts';
import { write } from '../lib/base/terminal/write.ts';
import { version } from '../lib/base/version.ts';
import { shellScripts } from '../lib/command-line/completion/scripts.ts';

/**
 * Runs the words after the program's name and returns the exit code. All effects go through `system`; nothing
 * is thrown. What shells request at TAB and at start-up loads no command.
 */
export async function run(argv: readonly string[], system: System): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete } = await import('./complete.ts');
    return await complete(argv.slice(1), system);
  }
  const text = fixedText(argv);
  if (text !== undefined && (await isWritten(text, system))) return 0;
  // If a fixed text could not be written, this reports why.
  const { runCommand } = await import('./run-command.ts');
  return await runCommand(argv, system);
}

/** The fixed output of some command lines: the version, or a shell's completion script. */
function fixedText([name, ...args]: readonly string[]): string | undefined {
  if ((name === '--version' || name === '-V') && args.length === 0) return `${version}\n`;
  if (name !== 'completion' || args.length !== 1) return undefined;
  return Object.entries(shellScripts).find(([shell]) => shell === args[0])?.[1];
}

async function isWritten(text: string, { stdout, signal }: System): Promise<boolean> {
  try {
    await write(stdout, text, signal);
    return true;
  } catch {
    return false;
  }
}
