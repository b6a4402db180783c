/** What programs write into a cell or a field that has no value. Names such as Null are written with a capital. */
export const noValue =
  /^\s*(?:NULL|null|\\N|#?N\/A|n\/a|None|nan|NaN|NAN|nil|undefined|#(?:REF|VALUE|DIV\/0|NUM)!|#NAME\?)\s*$/;
