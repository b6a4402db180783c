import { UnreachablePlace } from './home-directory.ts';
import { type Foreign, lookAlong } from './own-files.ts';
import { isPrivateGroup } from './private-group.ts';
import { octal } from './text/octal.ts';
import { shellQuote } from './text/shell-quote.ts';

/** Somebody else can write to the configuration, or put another one in its place. */
export class UntrustedConfig extends UnreachablePlace {}

/**
 * Who else than the user and root decides what is at a path, as far as it is there. `user` is
 * undefined where files have no owners to look at; nobody does then.
 */
export function foreignOn(path: string, user: number | undefined): Foreign | undefined {
  if (user === undefined) return undefined;
  return lookAlong(path, user, { isPrivateGroup: (group) => isPrivateGroup(group, user) }).foreign;
}

/**
 * Throws an `UntrustedConfig` where others decide what is at a path of the configuration: it names
 * commands that are run, and services that keys are sent to. That holds for root too, whom another
 * user could have run them.
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

/** chmod and chown are there for no other shells. */
const posix = { env: {}, platform: 'linux' } as const;

function isOthers({ stats }: Foreign, user: number): boolean {
  return stats.uid !== user && stats.uid !== 0;
}

function ofAnother({ path, stats }: Foreign, user: number) {
  const option = stats.isSymbolicLink() ? ['-h'] : [];
  const chown = shellQuote(['chown', ...option, String(user), path], posix);
  const own = 'set MAILER_CONFIG_DIR to a directory of your own';
  return {
    message: `user ${stats.uid} owns ${path}`,
    hint:
      user === 0
        ? `Run mailer as user ${stats.uid}, ${own}, or check its contents and run: ${chown}`
        : `To fix this, ${own}, or check its contents and run as root: ${chown}`,
  };
}

function openToOthers({ path, stats }: Foreign) {
  const chmod = shellQuote(['chmod', 'go-w', path], posix);
  return {
    message: `others can write to ${path} (mode ${octal(stats.mode & 0o7777)})`,
    hint: `Check the contents of the configuration, then run: ${chmod}`,
  };
}
