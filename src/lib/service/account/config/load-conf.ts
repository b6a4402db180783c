import { attempt } from '../../../../shared/attempt.ts';

/**
 * Loads `conf` without the signal listeners of its dependency when-exit, which sends each signal again to
 * end the process. For this program a second SIGINT is a second Ctrl-C, which ends it before it can report
 * what happened. The listeners only remove temporary files, and are not needed: `conf` writes
 * synchronously, so no signal is handled meanwhile.
 */
export async function loadConf(): Promise<typeof import('conf')> {
  const before = new Set(signalListeners().map(({ listener }) => listener));
  const conf = await importConf();
  for (const { signal, listener } of signalListeners()) {
    if (!before.has(listener)) process.removeListener(signal, listener);
  }
  return conf;
}

/** Loads `conf` even if there is no home directory: its dependency env-paths needs one for paths that are not used. */
async function importConf(): Promise<typeof import('conf')> {
  const os = process.getBuiltinModule('node:os');
  const { homedir } = os;
  if (attempt(homedir, undefined) !== undefined) return await import('conf');
  // Bun does not see a HOME that is set by now.
  Object.assign(os, { homedir: () => '/' });
  try {
    return await import('conf');
  } finally {
    Object.assign(os, { homedir });
  }
}

function signalListeners() {
  return process
    .eventNames()
    .filter((name): name is NodeJS.Signals => typeof name === 'string' && name.startsWith('SIG'))
    .flatMap((signal) =>
      process.rawListeners(signal).map((listener) => ({
        signal,
        // removeListener takes functions of any arguments.
        listener: listener as (...values: unknown[]) => void,
      })),
    );
}
