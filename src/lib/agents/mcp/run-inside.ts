import { Readable, Writable } from 'node:stream';
import type { System } from '../../base/system/system.ts';
import type { LocalContext } from '../../command-line/command/context.ts';

/** How a command ended, and what it printed. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one line of this program in this process. Nothing that it prints reaches the client by itself. */
export async function runInside(
  { system, runLine }: Pick<LocalContext, 'system' | 'runLine'>,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<Ended> {
  const printed: string[] = [];
  const said: string[] = [];
  const own = {
    stdin: Readable.from([]),
    stdout: {
      write: (text, done) => {
        printed.push(text);
        done();
      },
    },
    stderr: new Writable({
      decodeStrings: false,
      write: (text, _, done) => {
        said.push(String(text));
        done();
      },
    }),
    stderrIsTerminal: false,
    // Who gives a text must not learn which files there are.
    areTextsLiteral: true,
    signal,
  } satisfies Partial<System>;
  // Not a copy: some properties of a system are found out only when they are read.
  const inside = Object.create(
    Object.prototype,
    Object.assign(Object.getOwnPropertyDescriptors(system), Object.getOwnPropertyDescriptors(own)),
  ) as System; // It has all properties of the system.
  const exitCode = await runLine(argv, inside);
  return { exitCode, stdout: printed.join(''), stderr: said.join('') };
}
