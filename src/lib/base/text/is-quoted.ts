/** Whether a value has the quotes around it that a shell would have removed. */
export function isQuoted(value: string): boolean {
  return /^\s*(["']).*\1\s*$/s.test(value);
}
