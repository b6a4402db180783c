/** What `work` returns, or `otherwise` if it throws. Only for work that fails for one reason. */
export function attempt<Value, Other>(work: () => Value, otherwise: Other): Value | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
