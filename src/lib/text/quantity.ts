/** A number for people: `2,000`. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** `1 email`, `2,000 emails`. */
export function quantity(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}
