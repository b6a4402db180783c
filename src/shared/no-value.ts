/** What programs write into a cell or a field that has no value. Names such as Null are written with a capital. */
export const noValue =
  /^\s*(?:NULL|null|\\N|#?N\/A|n\/a|None|nan|NaN|NAN|nil|undefined|#(?:REF|VALUE|DIV\/0|NUM)!|#NAME\?)\s*$/;

/** Whether a value is none: null, and a text of white space, as in an empty cell. */
export function isNoValue(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !/\S/.test(value));
}
