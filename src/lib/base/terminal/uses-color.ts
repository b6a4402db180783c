import type { System } from '../system/system.ts';

/**
 * No colour with `--no-color` or `NO_COLOR`; colour with `FORCE_COLOR`; otherwise, on a terminal
 * that is not `dumb`.
 */
export function usesColor(
  env: System['env'],
  stream: { isTTY?: boolean },
  flags: { color?: boolean },
): boolean {
  if (flags.color === false || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
