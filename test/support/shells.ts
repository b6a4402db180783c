import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { execaSync } from 'execa';
import { onTestFinished, vi } from 'vitest';
import { type Place, shellStartOf } from './process.ts';

/** The shells that the tests type into. */
export const interactiveShells = ['bash', 'zsh', 'fish'] as const;

export type InteractiveShell = (typeof interactiveShells)[number];

/** Whether a program is installed. */
export function isInstalled(name: string): boolean {
  // dash has no --version.
  const { failed } = execaSync(name, name.endsWith('sh') ? ['-c', 'exit'] : ['--version'], {
    reject: false,
  });
  return !failed;
}

/** A shell in a pseudo-terminal with its completion script loaded, and a person who types. */
export interface ShellSession {
  /** Everything that was written to the terminal. */
  output(): string;
  type(keys: string): void;
  /** Waits until the terminal has received this, after the first `from` characters. */
  shows(expected: string | RegExp, from?: number): Promise<void>;
  /** Types a line and Enter, waits until it has run, and returns the words that `mailer` got. */
  words(keys: string): Promise<string[]>;
}

export const tab = '\t';

const patience = { timeout: 20_000, interval: 10 };

/**
 * A `mailer` for the shell: the program does the completion; otherwise writes its words to a file, each with
 * a NUL after it.
 */
const standIn = `#!/bin/sh
case $1 in __complete | completion) exec ${shellStartOf()} "$@" ;; esac
printf '%s\\0' "$@" >"$TEST_WORDS.new"
mv "$TEST_WORDS.new" "$TEST_WORDS"
`;

/** Starts each shell, which loads the script as its help page says. */
const started: Readonly<Record<InteractiveShell, (home: string) => readonly string[]>> = {
  bash: (home) => {
    writeFileSync(join(home, '.bashrc'), "PS1='READY> '\nsource <(mailer completion bash)\n");
    return ['--rcfile', join(home, '.bashrc'), '-i'];
  },
  zsh: (home) => {
    // Searched for completions once, which takes longer than all the rest; each home has a file of the same name.
    const known = join(tmpdir(), 'mailer-zcompdump');
    const load = ['autoload -Uz compinit', `compinit -u -d '${known}'`];
    const setUp = ['fpath+=(~/.zfunc)', ...load, "PS1='READY> '"];
    writeFileSync(join(home, '.zshrc'), `${setUp.join('\n')}\n`);
    return ['-i'];
  },
  fish: (home) => {
    const setUp = "function fish_prompt; echo -n 'READY> '; end\nset -g fish_greeting\n";
    writeFileSync(join(home, '.config', 'fish', 'config.fish'), setUp);
    // If this is missing, fish generates completions from all manual pages, and outlives the test.
    mkdirSync(join(home, '.local', 'share', 'fish', 'generated_completions'), { recursive: true });
    return ['-i'];
  },
};

/** Paths where a shell finds the script by itself. */
const scriptFiles: Readonly<Record<Exclude<InteractiveShell, 'bash'>, readonly string[]>> = {
  zsh: ['.zfunc', '_mailer'],
  fish: ['.config', 'fish', 'completions', 'mailer.fish'],
};

/** The environment of a shell in which `mailer` records its words. */
export function shellEnvironment(place: Place): Readonly<Record<string, string>> {
  const bin = join(place.home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mailer'), standIn);
  chmodSync(join(bin, 'mailer'), 0o755);
  return {
    ...place.env,
    PATH: [bin, place.env.PATH].join(delimiter),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    TEST_WORDS: join(place.home, 'words'),
  };
}

export async function openShell(
  place: Place,
  shell: InteractiveShell,
  { columns = 100, env = {} }: { columns?: number; env?: Readonly<Record<string, string>> } = {},
): Promise<ShellSession> {
  const environment = { ...shellEnvironment(place), ...env };
  if (shell !== 'bash') {
    const file = join(place.home, ...scriptFiles[shell]);
    mkdirSync(join(file, '..'), { recursive: true });
    const { stdout } = await place.run(['completion', shell]);
    writeFileSync(file, stdout);
  }
  let output = '';
  let ended = false;
  const terminal = spawn(shell, [...started[shell](place.home)], {
    name: 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd: place.home,
    env: environment,
  });
  terminal.onData((data) => {
    output += data;
  });
  terminal.onExit(() => {
    ended = true;
  });
  onTestFinished(() => {
    if (!ended) terminal.kill('SIGKILL');
  });
  const wordsFile = environment.TEST_WORDS ?? '';
  const session: ShellSession = {
    output: () => output,
    type: (keys) => terminal.write(keys),
    shows: (expected, from = 0) =>
      vi.waitFor(() => {
        const sent = plain(output.slice(from));
        const found = typeof expected === 'string' ? sent.includes(expected) : expected.test(sent);
        if (!found) throw new Error(`${String(expected)} is not in: ${JSON.stringify(sent)}`);
      }, patience),
    async words(keys) {
      rmSync(wordsFile, { force: true });
      terminal.write(`${keys}\r`);
      return await vi.waitFor(() => {
        if (!existsSync(wordsFile)) throw new Error(`it did not run: ${JSON.stringify(output)}`);
        return readFileSync(wordsFile, 'utf8').split('\0').slice(0, -1);
      }, patience);
    },
  };
  await session.shows('READY> ');
  return session;
}

/** Removes the sequences for colours and the cursor. */
function plain(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
  return output.replace(/\x1b(\[[?>\d;]*[A-Za-z]|[=>]|\([A-Z])/g, '');
}
