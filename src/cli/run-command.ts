import type { System } from '../lib/base/system/system.ts';
import { canAsk } from '../lib/base/terminal/can-ask.ts';
import { usesColor } from '../lib/base/terminal/uses-color.ts';
import { write } from '../lib/base/terminal/write.ts';
import { ClockDiffers } from '../lib/command-line/command/service-clock.ts';
import { type Line, readLine } from './command-line.ts';
import { argumentsToAsk } from './missing-arguments.ts';
import { type Invocation, Page, parse } from './parse.ts';
import type { Run } from './report-error.ts';

/** How long a command may take to end after Ctrl-C, in milliseconds. */
const grace = 1000;

/** Runs the words after the program's name and returns the exit code. Throws nothing. */
export async function runCommand(argv: readonly string[], system: System): Promise<number> {
  const state: Run = {
    system,
    runLine: runCommand,
    secrets: new Set(),
    format: 'table',
    debug: false,
    color: {},
    log: {},
    carriedOut: {},
    done: () => undefined,
    exitCodes: undefined,
    unsaid: () => [],
  };
  const exitCode = await soonAfterAbort(runLine(argv, state), system).catch(async (error) => {
    const { reportError } = await import('./report-error.ts');
    return reportError(argv, error, state);
  });
  state.log.command?.end(exitCode, state.carriedOut);
  return exitCode;
}

async function runLine(argv: readonly string[], state: Run): Promise<number> {
  const { system } = state;
  const line = await readLine(argv);
  const { given, words } = line;
  state.exitCodes = line.level.command?.exitCodes;
  // Set before parsing, so that it also holds for a line that cannot be parsed, such as one with --jsonl for a command
  // that has only --json.
  const isJson = (text: string) => /^--(json|jsonl|jq)(=|$)/.test(text);
  if (words.some(({ text, kind }) => kind === 'flag' && isJson(text))) state.format = 'json';
  state.debug = given.has('--debug');
  state.color = { color: !given.has('--no-color') };
  const color = usesColor(system.env, system.stdout, state.color);
  const missing = argumentsToAsk(line);
  const asks = missing.length > 0 && canAsk(system, { ask: !given.has('--no-input') });
  const asked = asks ? missing : [];
  for (const argument of asked) argument.argOptional();
  let parsed: Invocation;
  try {
    const asksForHelp = line.level.command && (line.asksForHelp || given.has('--help'));
    const fields = asksForHelp ? await fieldsOf(line) : undefined;
    parsed = parse(line, { width: system.stdout.columns || 80, color, fields });
  } catch (error) {
    if (!(error instanceof Page)) throw error;
    const asJson = error.isHelp ? jsonFlags(line) : [];
    if (asJson.length > 0) {
      return await runLine(['commands', ...line.level.path, '--all', ...asJson], state);
    }
    await write(system.stdout, error.text, system.signal);
    return 0;
  }
  const { execute } = await import('./execute.ts');
  try {
    return await execute(line, parsed, asked, state);
  } catch (error) {
    if (!(error instanceof ClockDiffers)) throw error;
    state.clockAhead = error.ahead;
    return await execute(line, parsed, asked, state);
  }
}

/** The fields that a help page names, if it is that of a command. */
async function fieldsOf({ level: { path } }: Line): Promise<string | undefined> {
  const { fieldsOfCommands } = await import('./field-names.ts');
  const start = `\n${path.join(' ')}: `;
  const at = fieldsOfCommands.indexOf(start) + start.length;
  return at < start.length
    ? undefined
    : fieldsOfCommands.slice(at, fieldsOfCommands.indexOf('\n', at));
}

/** The flags of a line that ask for JSON, also those that its command lacks: they shape the help. */
function jsonFlags({ given, words }: Line): string[] {
  const names = words.flatMap(({ text, kind }) => (kind === 'flag' ? [text.split('=', 1)[0]] : []));
  const flags = ['--json', '--jsonl', '--jq', '--fields'].filter((name) => names.includes(name));
  if (flags.length === 1 && flags[0] === '--fields') return [];
  return flags.map((name) => [name, given.get(name)].filter(Boolean).join('='));
}

/** The outcome of `work`, or the abort's reason if `work` goes on for longer than `grace` after it. */
async function soonAfterAbort<Value>(work: Promise<Value>, { signal }: System): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const abort = new Promise<never>((_, reject) => {
    const after = () => {
      timer = setTimeout(() => reject(signal.reason), grace);
    };
    if (signal.aborted) after();
    else signal.addEventListener('abort', after, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    clearTimeout(timer);
  }
}
