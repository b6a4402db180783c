/** Returns the result of `work`, whose direct ExperimentalWarning with this `prefix` is suppressed. */
export function withoutWarning<Value>(prefix: string, work: () => Value): Value {
  const restore = hush((text, type) => type === 'ExperimentalWarning' && text.startsWith(prefix));
  try {
    return work();
  } finally {
    restore();
  }
}

/**
 * From now on, suppresses the warning about NODE_TLS_REJECT_UNAUTHORIZED: certificates are verified anyway.
 */
export function neverWarnOfUnverifiedTls(): void {
  hush((text) => text.startsWith('Setting the NODE_TLS_REJECT_UNAUTHORIZED '));
}

/** Suppresses matching warnings of Node until the returned function is called. */
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
