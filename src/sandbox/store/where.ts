import type { Value } from './store.ts';

/** A condition in SQL with the value of its placeholder. */
type Condition = readonly [sql: string, value: Exclude<Value, null>];

/** The WHERE clause of the conditions that have a value, and these values. An empty text is none. */
export function whereOf(conditions: readonly Condition[]) {
  const given = conditions.filter(([, value]) => value !== undefined && value !== '');
  return {
    where: given.length === 0 ? '' : `WHERE ${given.map(([sql]) => sql).join(' AND ')}`,
    values: given.map(([, value]) => value),
  };
}
