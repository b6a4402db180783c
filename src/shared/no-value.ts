/** What programs write into a cell or a field that has no value. Names such as Null are written with a capital. */
export const noValue =
  /^\s*(?:NULL|null|\\N|#?N\/A|n\/a|None|nan|NaN|NAN|NaT|nil|undefined|<NA>|[([](?:null|none)[)\]]|#[¡¿]?(?:REF|VALUE|DIV\/0|NUM|NULL|SPILL|CALC|ERROR|WERT|BEZUG|ZAHL|VALOR|VALEUR|VALORE|WAARDE|NAME)[!?]|#(?:NV|N\/[BD])|#{4,}|1\/0\/1900|0000-00-00(?: 00:00:00)?|Invalid date)\s*$/;

/** Whether a value is none: null, and a text of white space or of what is not seen, as in an empty cell. */
export function isNoValue(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(value))
  );
}
