import type { System } from '../system/system.ts';

/** `--no-color` and `NO_COLOR` say no, `FORCE_COLOR` says yes, else a terminal that is not `dumb` does. */
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
