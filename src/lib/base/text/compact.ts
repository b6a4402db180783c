/** Those of these texts that apply: `false` stands for one that does not. */
export function compact(...texts: readonly (string | false)[]): string[] {
  return texts.filter((one) => one !== false);
}
