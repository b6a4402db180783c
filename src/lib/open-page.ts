import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './errors.ts';
import type { System } from './system.ts';

/**
 * Puts a page into a file that only this user can read, and opens it with the program for such
 * files: `BROWSER` where it is set, else the platform's own. Returns the path.
 */
export async function openPage(
  html: string,
  { env, platform }: Pick<System, 'env' | 'platform'>,
  temporaryDirectory: string,
): Promise<string> {
  // mkdtemp makes the directory 0700.
  const path = join(await mkdtemp(join(temporaryDirectory, 'mailer-')), 'email.html');
  await writeFile(path, html, { mode: 0o600 });
  const [program, ...words] = opener(env, platform);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, [...words, path], { detached: true, stdio: 'ignore' });
    child.once('error', (cause) => {
      reject(
        new UsageError(`${program} could not be started: ${cause.message}`, {
          hint: `The page is in ${path}. BROWSER names another program to open it with.`,
          cause,
        }),
      );
    });
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
  return path;
}

function opener(env: System['env'], platform: NodeJS.Platform): [string, ...string[]] {
  if (env.BROWSER) return [env.BROWSER];
  switch (platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['explorer.exe'];
    default:
      return ['xdg-open'];
  }
}
