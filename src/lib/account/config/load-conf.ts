/**
 * Loads `conf` without the signal listeners of a package below it (when-exit). That sends each signal
 * again to end the process; a SIGINT sent again is a second Ctrl-C, which kills this program before it
 * can tell what happened. The listeners remove temporary files; `conf` writes without a pause in which
 * a signal could be noticed, so nothing is lost.
 */
export async function loadConf(): Promise<typeof import('conf')> {
  const before = new Set(signalListeners().map(({ listener }) => listener));
  const conf = await importConf();
  for (const { signal, listener } of signalListeners()) {
    if (!before.has(listener)) process.removeListener(signal, listener);
  }
  return conf;
}

/** Loads `conf` where HOME is not set: a package below it (env-paths) fails then, for nothing. */
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
