import { noAnswer } from '../../http/request-log.ts';
import { badge, type Tone } from '../page/badge.ts';
import type { Html } from '../page/layout.ts';

/** The HTTP status of a response, which may be missing. */
export function httpStatusBadge(status: number): Html {
  return status === noAnswer ? badge('no response', 'bad') : badge(String(status), toneOf(status));
}

function toneOf(status: number): Tone {
  if (status < 300) return 'good';
  if (status < 400) return 'neutral';
  return status < 500 ? 'warn' : 'bad';
}

/** Milliseconds as people read them: `0.8 ms`, `35 ms`, `1.2 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${milliseconds.toFixed(0)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
