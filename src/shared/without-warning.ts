/**
 * What `work` returns, without the ExperimentalWarning that begins with `prefix`: Node would print
 * that on stderr, where nothing but this program's own words belongs. `work` must give it before
 * it returns.
 */
export function withoutWarning<Value>(prefix: string, work: () => Value): Value {
  const restore = hush((text, type) => type === 'ExperimentalWarning' && text.startsWith(prefix));
  try {
    return work();
  } finally {
    restore();
  }
}

/**
 * Has Node not warn, from now on, that NODE_TLS_REJECT_UNAUTHORIZED turns off the verification of
 * certificates: this program verifies them whatever that says.
 */
export function neverWarnOfUnverifiedTls(): void {
  hush((text) => text.startsWith('Setting the NODE_TLS_REJECT_UNAUTHORIZED '));
}

/** Has Node leave out the warnings that are meant, until the returned function is called. */
function hush(isMeant: (text: string, type: unknown) => boolean): () => void {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    if (isMeant(String(warning), details[0])) return;
    Reflect.apply(emitWarning, process, [warning, ...details]);
  };
  return () => {
    process.emitWarning = emitWarning;
  };
}
