import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import type { System } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';
import { type Check, warning } from './check.ts';

/**
 * Warns if PATH has several programs `mailer`, of which a shell starts the first. No check if there are fewer. None of them
 * is run: who knows what it is.
 */
export function checkInstallations({ env, platform }: Pick<System, 'env' | 'platform'>): Check[] {
  const isWindows = platform === 'win32';
  const names = isWindows ? ['mailer.exe', 'mailer.cmd'] : ['mailer'];
  const directories = (env.PATH ?? '').split(isWindows ? ';' : ':').filter(isAbsolute);
  const found = new Map<string, string>();
  for (const path of directories.flatMap((one) => names.map((name) => join(one, name)))) {
    const file = attempt(() => realpathSync(path), undefined);
    if (file !== undefined && !found.has(file) && isProgram(file, isWindows)) found.set(file, path);
  }
  const [first, ...others] = [...found].map(([file, path]) => visible(path + versionOf(file)));
  if (first === undefined || others.length === 0) return [];
  return [
    warning(
      'installations',
      `PATH has more than one mailer: ${first} is used, not ${others.join(', ')}`,
      'Remove those that you do not need, or put the directory of the right one first in PATH.',
    ),
  ];
}

function isProgram(file: string, isWindows: boolean): boolean {
  const status = statSync(file);
  return status.isFile() && (isWindows || (status.mode & 0o111) !== 0);
}

/** The version of an npm package, in brackets; an executable does not tell its version without being run. */
function versionOf(file: string): string {
  const manifest = join(dirname(dirname(file)), 'package.json');
  const { name, version } = Object(
    attempt(() => JSON.parse(readFileSync(manifest, 'utf8')) as unknown, undefined),
  );
  return name === 'mailer-cli' && typeof version === 'string' ? ` (${version})` : '';
}
