import { octal } from '../text/octal.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { isOpenToOthers, type UntrustedPart } from './own-files.ts';

/** Why others control something: a part of a sentence. */
export function whyForeign(foreign: readonly UntrustedPart[], user: number): string {
  return foreign
    .map((one) =>
      isOthers(one, user)
        ? `user ${one.stats.uid} owns ${one.path}`
        : `others can write to ${one.path} (mode ${octal(one.stats.mode & 0o7777)})`,
    )
    .join(', ');
}

/** Quoting for POSIX shells, as only these have chmod and chown. */
export const posix = { env: {}, platform: 'linux' } as const;

/** Commands that make the user the owner and deny others access. */
export function remedy(foreign: readonly UntrustedPart[], user: number): string {
  const others = foreign.filter((one) => isOthers(one, user));
  const open = foreign.filter(({ stats }) => isOpenToOthers(stats)).map(({ path }) => path);
  const commands = others.map(({ path, stats }) => {
    return ['chown', ...(stats.isSymbolicLink() ? ['-h'] : []), String(user), path];
  });
  if (open.length > 0) commands.push(['chmod', 'go-w', ...open]);
  return commands.map((command) => shellQuote(command, posix)).join(' && ');
}

export function isOthers({ stats }: UntrustedPart, user: number): boolean {
  return stats.uid !== user && stats.uid !== 0;
}
