import { isOthers, remedy, whyForeign } from '../../../base/files/foreign.ts';
import { UnreachablePlace } from '../../../base/files/home-directory.ts';
import type { UntrustedPart } from '../../../base/files/own-files.ts';

/** Somebody else can write to the configuration, or put another one in its place. */
export class UntrustedConfig extends UnreachablePlace {}

export interface Refusal {
  /** The file or directory of the configuration that was not used. */
  readonly path: string;
  readonly user: number;
  /** The paths through which others control it; at least one. */
  readonly foreign: readonly UntrustedPart[];
  /** Paths used by the configuration alone, whose owner and mode may be changed. */
  readonly own: readonly string[];
}

/** The error that names what others control, and what to do about it. */
export function untrusted(refusal: Refusal): UntrustedConfig {
  const { path, user, foreign } = refusal;
  return new UntrustedConfig(
    `The configuration ${path} was not used: ${whyForeign(foreign, user)}, and could make mailer run commands or send keys elsewhere.`,
    { hint: hintFor(refusal) },
  );
}

function hintFor({ user, foreign, own }: Refusal): string {
  if (foreign.some(({ path }) => path === '/')) {
    return "Others can change /, so only a directory in your account's home directory is safe. Set MAILER_CONFIG_DIR to one.";
  }
  const other = foreign.find((one) => isOthers(one, user));
  const asOther =
    user === 0 && other !== undefined ? [`run mailer as user ${other.stats.uid}`] : [];
  const elsewhere = 'set MAILER_CONFIG_DIR to a directory that only you and root can change';
  // Other programs may depend on the owners and modes of other directories.
  if (!foreign.every(({ path }) => own.includes(path))) {
    return sentence([...asOther, elsewhere]);
  }
  const needsRoot = user !== 0 && foreign.some(({ stats }) => stats.uid !== user);
  const run = `run${needsRoot ? ' as root' : ''}: ${remedy(foreign, user)}`;
  return other === undefined
    ? `Check the contents of the configuration, then ${run}`
    : `${sentence([...asOther, elsewhere])} Or check what user ${other.stats.uid} stored there, then ${run}`;
}

function sentence(choices: readonly string[]): string {
  const text = choices.join(', or ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
