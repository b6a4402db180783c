/**
 * Loads `conf` without what that does to the process. A package below it (when-exit) listens for signals and sends each of them again
 * to end the process; but a SIGINT sent again is a second Ctrl-C, which kills this program before
 * it can tell what happened. Its listeners are there to remove temporary files, and `conf` writes
 * without a pause in which a signal could be noticed, so nothing is lost by taking them off.
 */
export async function loadConf(): Promise<typeof import('conf')> {
  const before = new Set(signalListeners().map(({ listener }) => listener));
  const conf = await importConf();
  for (const { signal, listener } of signalListeners()) {
    if (!before.has(listener)) process.removeListener(signal, listener);
  }
  return conf;
}

/**
 * A package below it (env-paths) asks for the home directory as it is loaded, and fails where there
 * is none. Nobody uses what it would find.
 */
async function importConf(): Promise<typeof import('conf')> {
  if (process.env.HOME !== undefined) return await import('conf');
  process.env.HOME = '';
  try {
    return await import('conf');
  } finally {
    delete process.env.HOME;
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
