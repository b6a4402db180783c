import { html } from 'hono/html';
import type { Tone } from './badge.ts';
import type { Html } from './layout.ts';

/** A bar as long as `share` (0 to 1) of its place. It says nothing that is not beside it as text. */
export function bar(share: number, tone: Tone = 'accent'): Html {
  const width = `${(Math.min(Math.max(share, 0), 1) * 100).toFixed(2)}%`;
  return html`<svg class="share" data-tone="${tone}" aria-hidden="true" focusable="false">
<rect class="whole" width="100%" height="100%" rx="3"/><rect class="part" width="${width}" height="100%" rx="3"/></svg>`;
}

/** `part` of `whole` in percent; a dash of nothing. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const value = (part / whole) * 100;
  return `${value.toFixed(value > 0 && value < 10 ? 1 : 0)}%`;
}
