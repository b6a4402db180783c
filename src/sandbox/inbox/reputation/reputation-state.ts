import { statusWords, type Tone } from '../page/badge.ts';
import { truncated } from '../page/words.ts';

const tones: Readonly<Record<string, Tone>> = {
  HEALTHY: 'good',
  EXEMPT: 'good',
  WARNING: 'warn',
  SUPERVISED: 'accent',
  CRITICAL: 'bad',
  BLOCKED: 'bad',
};

/** How a deliverability state is to be taken; services have states that are not known here. */
export function stateTone(state: string): Tone {
  return tones[state] ?? 'neutral';
}

/** A deliverability state as people read it. */
export function stateName(state: string): string {
  return statusWords(truncated(state, 40));
}
