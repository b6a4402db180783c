import { duration } from './relative-time.ts';

/** How a clock differs from the real one, of which it is `ahead` by milliseconds: `1 day ahead`. */
export function clockInWords(ahead: number): string {
  const distance = duration(Math.abs(ahead));
  return `${distance} ${ahead < 0 ? 'behind' : 'ahead of'} the real time`;
}
