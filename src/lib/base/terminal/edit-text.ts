import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import type { EditedText, System } from '../system/system.ts';
import { editorCommand, nameOfEditor } from './editor-name.ts';

/** A shell's exit code for an unknown command (POSIX, section 2.8.2). */
const notFound = 127;

/**
 * Opens a person's editor with a temporary file that only they can read. Returns the text, or
 * undefined if the editor cannot be started. Throws a `UsageError` if the editor fails, which is
 * how people cancel (`:cq`). On an abort, ends the editor and throws the signal's reason.
 */
export async function editText(
  system: Pick<System, 'env' | 'platform' | 'signal'>,
  kind: EditedText,
  temporaryDirectory: string,
): Promise<string | undefined> {
  // mkdtemp creates the directory with mode 0700.
  const directory = await mkdtemp(join(temporaryDirectory, 'mailer-'));
  try {
    const path = join(directory, `email.${kind}`);
    await writeFile(path, '', { mode: 0o600 });
    const exitCode = await ended(start(path, system), system.signal);
    system.signal.throwIfAborted();
    if (exitCode === notFound) return undefined;
    if (exitCode !== 0) {
      throw new UsageError(`${nameOfEditor(system)} was cancelled. Nothing was sent.`);
    }
    return await readFile(path, 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The setting may include arguments (`code --wait`), so a shell runs it, as in git. */
function start(path: string, { env, platform }: Pick<System, 'env' | 'platform'>): ChildProcess {
  const editor = editorCommand({ env, platform });
  const options = { stdio: 'inherit', env: { ...env } } as const;
  return platform === 'win32'
    ? spawn(`${editor} "${path}"`, { ...options, shell: true })
    : spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], options);
}

/**
 * The exit code of a process; -1 if a signal ended it. Ends the process when `signal` is aborted.
 */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<number> {
  const end = () => child.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = await once(child, 'exit').catch(() => [notFound]);
    return code ?? -1;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
