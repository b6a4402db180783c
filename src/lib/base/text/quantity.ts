import { grouped } from '../../../shared/grouped.ts';

export { grouped };

/** `1 email`, `2,000 emails`. */
export function quantity(number: number | string, noun: string): string {
  return `${grouped(number)} ${noun}${Number(number) === 1 ? '' : 's'}`;
}
