/**
 * The result of `work`, without the ExperimentalWarning that starts with `prefix`, which Node would
 * print on stderr. `work` must cause the warning before it returns.
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
 * From now on, keeps Node from warning that NODE_TLS_REJECT_UNAUTHORIZED turns off the verification
 * of certificates: this program always verifies them.
 */
export function neverWarnOfUnverifiedTls(): void {
  hush((text) => text.startsWith('Setting the NODE_TLS_REJECT_UNAUTHORIZED '));
}

/** Suppresses the matching warnings of Node until the returned function is called. */
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
