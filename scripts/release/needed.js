// What a machine may lack.
import { spawnSync } from 'node:child_process';

/** Says why a file of a release cannot be made here. */
export class Missing extends Error {}

/** Throws Missing unless these programs can be started; each is in the Debian package of the second name. */
export function need(programs) {
  const missing = Object.entries(programs).filter(
    ([program]) => spawnSync(program, ['--version']).error !== undefined,
  );
  if (missing.length === 0) return;
  const names = missing.map(([program, debian]) => `${program} (Debian package ${debian})`);
  throw new Missing(`needs ${names.join(', ')}`);
}
