import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { patience } from './patience.ts';

export interface PtyOptions {
  readonly columns: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program in a pseudo-terminal, which is killed at the end of the test. */
export interface Pty {
  readonly pid: number;
  /** Everything that was written to the terminal. */
  output(): string;
  type(keys: string): void;
  resize(columns: number): void;
  /** Undefined as long as the program runs. */
  exitCode(): number | undefined;
  /** Tells that something else may have changed. */
  lookAgain(): void;
  /**
   * Calls a function at once, and again whenever something is written, or the program ends, until it returns a value.
   * Rejects with what `missing` returns if the program ends without one, or hangs.
   */
  until<Value>(look: () => Value | undefined, missing: () => string): Promise<Value>;
}

export function openPty(
  file: string,
  words: readonly string[],
  { columns, cwd, env }: PtyOptions,
): Pty {
  const rows = 40;
  let output = '';
  let exitCode: number | undefined;
  const looks = new Set<() => void>();
  const lookAgain = () => {
    for (const look of looks) look();
  };
  const terminal = spawn(file, [...words], {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env,
  });
  terminal.onData((data) => {
    output += data;
    lookAgain();
  });
  terminal.onExit((end) => {
    exitCode = end.exitCode;
    lookAgain();
  });
  onTestFinished(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
  });
  return {
    pid: terminal.pid,
    output: () => output,
    type: (keys) => terminal.write(keys),
    resize: (newColumns) => terminal.resize(newColumns, rows),
    exitCode: () => exitCode,
    lookAgain,
    async until<Value>(look: () => Value | undefined, missing: () => string) {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      const fail = () => reject(new Error(missing()));
      const tryOnce = () => {
        try {
          const value = look();
          if (value !== undefined) resolve(value);
          else if (exitCode !== undefined) fail();
        } catch (error) {
          reject(error);
        }
      };
      const limit = setTimeout(fail, patience / 2);
      looks.add(tryOnce);
      try {
        tryOnce();
        return await promise;
      } finally {
        looks.delete(tryOnce);
        clearTimeout(limit);
      }
    },
  };
}
