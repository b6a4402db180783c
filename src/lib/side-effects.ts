/**
 * Modules that change the process when they are loaded, loaded without that. Such changes belong
 * to this program as a whole, so `process` is touched here although this is not `src/system.ts`.
 */

/**
 * Loads `conf`. A package below it (when-exit) listens for signals and sends each of them again
 * to end the process; but a SIGINT sent again is a second Ctrl-C, which kills this program before
 * it can tell what happened. Its listeners are there to remove temporary files, and `conf` writes
 * without a pause in which a signal could be noticed, so nothing is lost by taking them off.
 */
export async function loadConf(): Promise<typeof import('conf')> {
  const before = new Set(signalListeners().map(({ listener }) => listener));
  const conf = await import('conf');
  for (const { signal, listener } of signalListeners()) {
    if (!before.has(listener)) process.removeListener(signal, listener);
  }
  return conf;
}

/**
 * Loads `node:sqlite`, which makes Node 22 and 23 print an ExperimentalWarning; that one is held
 * back.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    if (details[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...details]);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function signalListeners() {
  return process
    .eventNames()
    .filter((name): name is NodeJS.Signals => typeof name === 'string' && name.startsWith('SIG'))
    .flatMap((signal) =>
      process.rawListeners(signal).map((listener) => ({
        signal,
        // Listeners are functions of any arguments, which is what removeListener takes.
        listener: listener as (...values: unknown[]) => void,
      })),
    );
}
