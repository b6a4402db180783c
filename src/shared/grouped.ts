/** A number for people, without its fraction: `2,000`. Digits may be given as text, to keep all of them. */
export function grouped(number: number | string): string {
  const text = typeof number === 'number' ? String(Math.trunc(number)) : number;
  // Not toLocaleString, which takes up to 70 ms when first called.
  return /^-?\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
}
