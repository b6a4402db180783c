import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runHere } from './here.ts';
import { enter } from './keys.ts';
import { isAnother, launcher, type Place, shellStartOf } from './process.ts';
import { openPty } from './pty.ts';
import type { Outcome } from './run.ts';

/** The shells that the tests type into. */
export const interactiveShells = ['bash', 'zsh', 'fish'] as const;

export type InteractiveShell = (typeof interactiveShells)[number];

/** A shell in a pseudo-terminal with its completion script loaded, and a person who types. */
export interface ShellSession {
  /** Everything that was written to the terminal. */
  output(): string;
  type(keys: string): void;
  /** Waits until the terminal has received this, after the first `from` characters. */
  shows(expected: string | RegExp, from?: number): Promise<void>;
  /** Types a line and Enter, waits until it has run, and returns the words that `mailer` got. */
  words(keys: string): Promise<readonly string[]>;
}

/**
 * A `mailer` for the shell, which leaves everything to the test: it sends its words, each with a NUL after it, and gets
 * its exit code and output; or nothing, and then it is the program itself.
 */
const standIn = `#!/bin/bash
exec 3<>"/dev/tcp/127.0.0.1/$TEST_PORT"
printf '%s\\0' "$#" "$@" >&3
IFS= read -r code <&3 || exec ${shellStartOf()} "$@"
cat <&3
exit "$code"
`;

/** Serves the stand-ins of a place: `run` gets the words, and returns undefined for the program itself. */
async function serveStandIns(
  run: (words: readonly string[]) => Promise<Pick<Outcome, 'exitCode' | 'stdout'> | undefined>,
): Promise<number> {
  const server = createServer((socket) => {
    let received = '';
    // The shell is killed at the end, along with its last command.
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', async (text: string) => {
      received += text;
      const [count, ...words] = received.split('\0').slice(0, -1);
      if (words.length < Number(count ?? Number.POSITIVE_INFINITY)) return;
      const outcome = await run(words);
      socket.end(outcome === undefined ? '' : `${outcome.exitCode}\n${outcome.stdout}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a TCP port has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

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

/** The environment of a shell in which `mailer` is a script. */
export function shellEnvironment(
  place: Place,
  script = launcher,
): Readonly<Record<string, string>> {
  const bin = join(place.home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mailer'), script, { mode: 0o755 });
  return {
    ...place.env,
    PATH: [bin, place.env.PATH].join(delimiter),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
}

/**
 * Opens a shell. Only its first TAB starts the program under test, unless that is not the built one; the others are
 * completed in the process of the tests, which takes a tenth of the time.
 */
export async function openShell(place: Place, shell: InteractiveShell): Promise<ShellSession> {
  if (shell !== 'bash') {
    const file = join(place.home, ...scriptFiles[shell]);
    mkdirSync(join(file, '..'), { recursive: true });
    const { stdout } = await runHere(place, ['completion', shell]);
    writeFileSync(file, stdout);
  }
  let isFirst = true;
  let got: readonly string[] | undefined;
  const port = await serveStandIns(async (words) => {
    if (words[0] === 'completion') return await runHere(place, words);
    if (words[0] === '__complete') {
      if (!isFirst && !isAnother) return await runHere(place, words);
      isFirst = false;
      return undefined;
    }
    got = words;
    terminal.lookAgain();
    return { exitCode: 0, stdout: '' };
  });
  const terminal = openPty(shell, started[shell](place.home), {
    columns: 100,
    cwd: place.home,
    env: { ...shellEnvironment(place, standIn), TEST_PORT: String(port) },
  });
  const { output, type, until } = terminal;
  const session: ShellSession = {
    output,
    type,
    async shows(expected, from = 0) {
      const sent = () => plain(output().slice(from));
      const isShown = () =>
        typeof expected === 'string' ? sent().includes(expected) : expected.test(sent());
      await until(
        () => isShown() || undefined,
        () => `${expected} is not in: ${JSON.stringify(sent())}`,
      );
    },
    async words(keys) {
      got = undefined;
      type(`${keys}${enter}`);
      return await until(
        () => got,
        () => `it did not run: ${JSON.stringify(output())}`,
      );
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
