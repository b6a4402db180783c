import type { Segment } from '../../../api/segment.ts';
import { typedField } from './condition.ts';
import { conditionText } from './where.ts';

/** The rules of a segment on one line, as conditions. */
export function rulesText(rules: Segment['rules']): string {
  const word = rules?.match === 'any' ? ' or ' : ' and ';
  return (rules?.conditions ?? [])
    .map(({ field, ...one }) => conditionText({ ...one, field: typedField(field ?? '') }))
    .join(word);
}
