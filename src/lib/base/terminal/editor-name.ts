import { basename } from 'node:path';
import type { System } from '../system/system.ts';

type Chooser = Pick<System, 'env' | 'platform'>;

/** The editor's command line: `VISUAL`, `EDITOR`, else the system's default. */
export function editorCommand({ env, platform }: Chooser): string {
  return env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi');
}

/** Its name in a sentence: `code`. */
export function nameOfEditor(system: Chooser): string {
  return basename(/^\s*(\S+)/.exec(editorCommand(system))?.[1] ?? '');
}
