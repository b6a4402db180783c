import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { imagesPage, type PreviewPages, type System } from '../system/system.ts';

/**
 * Opens a page with `BROWSER` or the platform's own program, from a file that only this user can
 * read.
 */
export async function openPage(
  { html, withImages }: PreviewPages,
  { env, platform }: Opening,
  temporaryDirectory: string,
): Promise<string> {
  // mkdtemp creates the directory with mode 0700.
  const directory = await mkdtemp(join(temporaryDirectory, 'mailer-'));
  const path = join(directory, 'email.html');
  await writeFile(path, html, { mode: 0o600 });
  if (withImages !== undefined) {
    await writeFile(join(directory, imagesPage), withImages, { mode: 0o600 });
  }
  await openWith(path, { env, platform }, `The page is in ${path}.`);
  return path;
}

/**
 * Opens an http or https URL as `openPage` does. Throws a `UsageError` if there is no program for
 * it.
 */
export async function openUrl(url: string, system: Opening): Promise<void> {
  // The word must never look like a flag or a file.
  const { href, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new UsageError(`${href} is not an http or https URL`);
  await openWith(href, system, `The page is ${href}`);
}

type Opening = Pick<System, 'env' | 'platform'>;

async function openWith(what: string, { env, platform }: Opening, where: string): Promise<void> {
  const program = env.BROWSER || (openers[platform] ?? 'xdg-open');
  const options = { detached: true, stdio: 'ignore', env: withoutSecrets(env) } as const;
  const child = spawn(program, [what], options);
  await once(child, 'spawn').catch((cause: Error) => {
    throw new UsageError(`${program} could not be started: ${cause.message}`, {
      hint: `${where} To open it with another program, set BROWSER.`,
      cause,
    });
  });
  child.unref();
}

/** The environment without this program's secrets, for programs that do not need them. */
function withoutSecrets(env: System['env']): Record<string, string | undefined> {
  const entries = Object.entries(env).filter(([name]) => !secretVariables.has(name.toUpperCase()));
  return Object.fromEntries(entries);
}

/** The API key, the password of a mail server, and the secret that signs calls. */
const secretVariables = new Set([
  'MAILER_API_KEY',
  'MAILER_SANDBOX_SMTP_URL',
  'MAILER_WEBHOOK_SECRET',
]);

/** The program that opens a page, where it is not the one of freedesktop.org. */
const openers: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'open',
  win32: 'explorer.exe',
};
