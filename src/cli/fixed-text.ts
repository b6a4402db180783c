import { scriptFor } from '../lib/completion/scripts.ts';
import { version } from '../lib/version.ts';

/**
 * The text that a command line always prints: the version, or the completion script of a shell,
 * which shells ask for at their start while somebody waits. Undefined for all other command lines,
 * and for what has to be explained.
 */
export function fixedText([name, ...args]: readonly string[]): string | undefined {
  if ((name === '--version' || name === '-V') && args.length === 0) return `${version}\n`;
  return name === 'completion' && args.length === 1 ? scriptFor(args[0]) : undefined;
}
