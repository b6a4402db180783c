import { UnreachablePlace } from './home-directory.ts';
import { type Foreign, lookAlong } from './own-files.ts';
import { isPrivateGroup } from './private-group.ts';
import { octal } from './text/octal.ts';
import { shellQuote } from './text/shell-quote.ts';

/** Somebody else can write to the configuration, or put another one in its place. */
export class UntrustedConfig extends UnreachablePlace {}

/**
 * The part of a path through which somebody other than the user and root controls what is there, as far
 * as the path exists. `user` is undefined where files have no owners; the result then is, too.
 */
export function foreignOn(path: string, user: number | undefined): Foreign | undefined {
  if (user === undefined) return undefined;
  return lookAlong(path, user, { isPrivateGroup: (group) => isPrivateGroup(group, user) }).foreign;
}

/**
 * Throws an `UntrustedConfig` if others control what is at a path of the configuration, which names
 * commands to run and services that get keys. For root too: another user could make root run commands.
 */
export function assertOwn(path: string, user: number | undefined): void {
  const foreign = foreignOn(path, user);
  if (foreign === undefined || user === undefined) return;
  const { message, hint } = isOthers(foreign, user)
    ? ofAnother(foreign, user)
    : openToOthers(foreign);
  const whatCouldBe = 'and could make mailer run commands or send keys elsewhere';
  throw new UntrustedConfig(`The configuration ${path} was not used: ${message}, ${whatCouldBe}.`, {
    hint,
  });
}

/** Quoting for POSIX shells, as only these have chmod and chown. */
const posix = { env: {}, platform: 'linux' } as const;

function isOthers({ stats }: Foreign, user: number): boolean {
  return stats.uid !== user && stats.uid !== 0;
}

function ofAnother({ path, stats }: Foreign, user: number) {
  const option = stats.isSymbolicLink() ? ['-h'] : [];
  const chown = shellQuote(['chown', ...option, String(user), path], posix);
  const other = `user ${stats.uid}`;
  return {
    message: `${other} owns ${path}`,
    hint:
      user === 0
        ? `Run mailer as ${other}, or set MAILER_CONFIG_DIR to a directory of your own. Or check what ${other} stored there, then run: ${chown}`
        : `Set MAILER_CONFIG_DIR to a directory of your own. Or check what ${other} stored there, then run as root: ${chown}`,
  };
}

function openToOthers({ path, stats }: Foreign) {
  const chmod = shellQuote(['chmod', 'go-w', path], posix);
  return {
    message: `others can write to ${path} (mode ${octal(stats.mode & 0o7777)})`,
    hint: `Check the contents of the configuration, then run: ${chmod}`,
  };
}
