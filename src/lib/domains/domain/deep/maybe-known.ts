/** Whether something is so; null if it is not known. */
export type MaybeKnown = boolean | null;

/** True if one is, null if none is but one is not known. False for none. */
export function anyKnown(values: readonly MaybeKnown[]): MaybeKnown {
  return values.includes(true) ? true : values.includes(null) ? null : false;
}

/** False if one is not, null if all others are but one is not known. */
export function allKnown(values: readonly MaybeKnown[]): MaybeKnown {
  return values.includes(false) ? false : values.includes(null) ? null : true;
}
