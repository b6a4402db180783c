/** Those of these texts, or of other things, that apply: `false` stands for one that does not. */
export function compact<One = string>(...all: readonly (One | false)[]): One[] {
  return all.filter((one): one is One => one !== false);
}
