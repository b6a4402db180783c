import type { System } from '../system/system.ts';

/** The editor that a person has chosen, with its words: `VISUAL`, `EDITOR`, else the system's own. */
export function nameOfEditor({ env, platform }: Pick<System, 'env' | 'platform'>): string {
  return env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi');
}
