import { exactText } from '../../base/json/exact-numbers.ts';
import { valueAt } from './fields.ts';

/** A count in a reply, with the digits that the service wrote: beyond 2^53 a number is rounded. */
export function countAt(reply: unknown, path: string): string | undefined {
  const value = valueAt(reply, path);
  return exactText(value) ?? (typeof value === 'number' ? String(value) : undefined);
}
