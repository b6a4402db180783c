/**
 * What `work` returns, without the ExperimentalWarning that begins with `prefix`: Node would print
 * that on stderr, where nothing but this program's own words belongs. `work` must give it before
 * it returns.
 */
export function withoutWarning<Value>(prefix: string, work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    if (details[0] === 'ExperimentalWarning' && String(warning).startsWith(prefix)) return;
    Reflect.apply(emitWarning, process, [warning, ...details]);
  };
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
