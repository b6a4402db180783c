import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Process } from './time-of.ts';

/** The measured version of resend-cli, the nearest competitor. */
export const resendVersion = '2.21.0';
/** Its name in the table. */
export const resendName = `resend ${resendVersion}`;

/** A cache below node_modules, which `npm ci` in the checkout removes. */
const folder = fileURLToPath(new URL('../../node_modules/.cache/resend-cli/', import.meta.url));
const installed = join(folder, 'node_modules', 'resend-cli');

/** Makes a process from a command line of resend-cli, on the same Node as the others. */
export type Resend = (words: readonly string[], prints: string) => Process;

/**
 * The competitor's CLI, for a service at this URL. Installs it if it is missing, except in a quick run, which
 * uses no network. Returns undefined and prints a line if that fails.
 */
export function findResend(url: string, quick: boolean): Resend | undefined {
  const problem = isInstalled() ? undefined : quick ? 'a quick run installs nothing' : install();
  if (problem !== undefined) {
    process.stderr.write(`  resend-cli is left out: ${problem}\n`);
    return undefined;
  }
  return (words, prints) => ({
    command: [process.execPath, join(installed, 'dist', 'cli.cjs'), ...words],
    env: {
      RESEND_BASE_URL: url,
      RESEND_API_KEY: 're_12345678_123456789012345678901234',
      // Otherwise it starts a process that reports the command.
      RESEND_TELEMETRY_DISABLED: '1',
    },
    prints,
  });
}

function isInstalled(): boolean {
  try {
    // Written by npm.
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    return version === resendVersion;
  } catch {
    return false;
  }
}

/** Returns what went wrong, if anything. */
function install(): string | undefined {
  process.stderr.write(`  installing resend-cli ${resendVersion} (once)\n`);
  mkdirSync(folder, { recursive: true });
  const flags = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  const patience = ['--fetch-retries=0', '--fetch-timeout=30000'];
  const result = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      realpathSync(folder),
      ...flags,
      ...patience,
      `resend-cli@${resendVersion}`,
    ],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (result.status === 0) return undefined;
  const code = /^npm error code (\S+)/m.exec(result.stderr ?? '')?.[1];
  return `npm could not install it (${result.error?.message ?? code ?? result.status})`;
}
