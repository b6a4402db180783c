import type { Segment } from '../../api/segment.ts';
import { conditionText } from './where.ts';

/** The rules of a segment in a line, as conditions are written. */
export function rulesText(rules: Segment['rules']): string {
  const word = rules?.match === 'any' ? ' or ' : ' and ';
  return (rules?.conditions ?? []).map(conditionText).join(word);
}
