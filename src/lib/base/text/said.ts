/** Those of these texts that apply: `false` stands for one that does not. */
export function said(...texts: readonly (string | false)[]): string[] {
  return texts.filter((one) => one !== false);
}
