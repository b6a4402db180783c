import type { Tone } from '../badge.ts';

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
