import { html } from 'hono/html';
import type { Html } from './html.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

const units = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 7],
] as const;

/** A time relative to `now`, both in milliseconds since 1970. */
export function moment(at: number, now: number): Html {
  return timeElement(at, fromNow(at, now));
}

/** A time, to the second. */
export function exactMoment(at: number): Html {
  return timeElement(at, exact.format(at));
}

function timeElement(at: number, text: string): Html {
  return html`<time datetime="${new Date(at).toISOString()}" title="${exact.format(at)}">${text}</time>`;
}

function fromNow(at: number, now: number): string {
  const distance = Math.abs(at - now);
  if (distance < 5000) return 'now';
  for (const [unit, length, most] of units) {
    const count = Math.trunc(distance / length);
    if (count < most) return relative.format(at < now ? -count : count, unit);
  }
  return date.format(at);
}
