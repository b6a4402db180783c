import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import type { EditedText, System } from '../system/system.ts';
import { editorCommand, nameOfEditor } from './editor-name.ts';

/** How a shell reports that there is no such program (POSIX, section 2.8.2). */
const notFound = 127;

/**
 * Has a person write a text in their editor, in a file that only they can read and that is removed
 * afterwards. Returns undefined when the editor cannot be started. A `UsageError` when it fails,
 * which is how people cancel (`:cq`). Ends the editor and throws the signal's reason on an abort.
 */
export async function editText(
  system: Pick<System, 'env' | 'platform' | 'signal'>,
  kind: EditedText,
  temporaryDirectory: string,
): Promise<string | undefined> {
  // mkdtemp makes the directory 0700.
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

/** The setting may have words of its own, `code --wait`, so a shell reads it, as for git. */
function start(path: string, { env, platform }: Pick<System, 'env' | 'platform'>): ChildProcess {
  const editor = editorCommand({ env, platform });
  const options = { stdio: 'inherit', env: { ...env } } as const;
  return platform === 'win32'
    ? spawn(`${editor} "${path}"`, { ...options, shell: true })
    : spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], options);
}

/** The exit code of a process that is ended once `signal` is aborted; -1 when a signal ended it. */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<number> {
  const end = () => child.kill();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise((resolve) => {
      child.once('error', () => resolve(notFound));
      child.once('exit', (code) => resolve(code ?? -1));
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}
