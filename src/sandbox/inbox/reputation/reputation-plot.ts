import { html } from 'hono/html';
import type { ReputationEventRow } from '../../model/reputation-events.ts';
import { badge, statusWords, type Tone } from '../page/badge.ts';
import type { Html } from '../page/html.ts';
import { plural, truncated } from '../page/words.ts';

/** In pixels. Widths are percentages, so that text keeps its size in any window. */
const height = 220;
const stripTop = height + 8;
const stripHeight = 22;

/** The width of a character of a state's name, in percent of a wide window, and of any window. */
const characterInWide = 1.25;
const characterInAny = 2.7;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/**
 * Plots the bounce rate at each change, oldest first, and below it how long each state lasted, the last one
 * until `end`. The service does not publish its limits, so the plot has none.
 */
export function plot(changes: readonly ReputationEventRow[], end: number): Html {
  const start = changes[0]?.createdAt ?? end;
  const span = Math.max(end - start, 1);
  const top = niceTop(Math.max(...changes.map(({ bounceRate }) => bounceRate)));
  const x = (at: number) => Math.min(((at - start) / span) * 100, 100);
  const y = (rate: number) => height - (rate / top) * height;
  const points = changes.map((change) => ({
    ...change,
    x: x(change.createdAt),
    y: y(change.bounceRate),
  }));
  const states = [...new Set(changes.map(({ toState }) => toState))];
  const format = span < 2 * 86_400_000 ? time : day;

  return html`<figure class="plot">
<svg role="img" aria-labelledby="plot-name plot-about" height="${stripTop + stripHeight + 28}">
<title id="plot-name">Bounce rate in percent over time</title>
<desc id="plot-about">${description(changes)}</desc>
${[0, 1, 2, 3, 4].map((step) => gridline((top / 4) * step))}
${points.slice(1).map((to, index) => line(points[index] ?? to, to))}
${points.map((point) => dot(point))}
${points.map((point, index) => lasted(point, points[index + 1]?.x ?? 100))}
${[0, 1, 2, 3].map((step) => dateLabel(step))}
</svg>
<figcaption class="muted small">
<ul class="legend" aria-label="States">${states.map((state) => html`<li>${stateBadge(state)}</li>`)}</ul>
<p>The line is the bounce rate at each change of state, the strip how long each state lasted. The table has the same data.</p></figcaption>
</figure>`;

  function gridline(rate: number): Html {
    return html`<line class="grid" x1="0" x2="100%" y1="${y(rate)}" y2="${y(rate)}"/>
<text class="axis" x="-8" y="${y(rate)}" dy="0.32em" text-anchor="end">${Number(rate.toFixed(2))}%</text>`;
  }

  function dateLabel(step: number): Html {
    const anchor = step === 0 ? 'start' : step === 3 ? 'end' : 'middle';
    return html`<text class="axis" x="${fixed((step / 3) * 100)}%" y="${stripTop + stripHeight + 20}" text-anchor="${anchor}">${format.format(start + (span / 3) * step)}</text>`;
  }
}

interface Point extends ReputationEventRow {
  /** In percent of the width. */
  readonly x: number;
  /** In pixels. */
  readonly y: number;
}

function line(from: Point, to: Point): Html {
  return html`<line class="rate" x1="${fixed(from.x)}%" y1="${fixed(from.y)}" x2="${fixed(to.x)}%" y2="${fixed(to.y)}"/>`;
}

function dot({ x, y, toState, bounceRate, createdAt }: Point): Html {
  return html`<circle class="dot" data-tone="${stateTone(toState)}" cx="${fixed(x)}%" cy="${fixed(y)}" r="5"><title>${stateName(toState)}, ${bounceRate}%, ${new Date(createdAt).toISOString()}</title></circle>`;
}

function lasted({ x, toState }: Point, until: number): Html {
  const width = Math.max(until - x, 0);
  const name = stateName(toState);
  const tone = stateTone(toState);
  return html`<rect class="strip" data-tone="${tone}" x="${fixed(x)}%" y="${stripTop}" width="${fixed(width)}%" height="${stripHeight}"><title>${name}</title></rect>${
    name.length * characterInWide > width
      ? ''
      : html`<text class="state${name.length * characterInAny > width ? ' in-wide' : ''}" data-tone="${tone}" x="${fixed(x + width / 2)}%" y="${stripTop + stripHeight / 2}" dy="0.34em" text-anchor="middle">${name}</text>`
  }`;
}

function description(changes: readonly ReputationEventRow[]): string {
  const rates = changes.map(({ bounceRate }) => bounceRate);
  const last = changes.at(-1);
  const latest =
    last === undefined ? '' : `, the latest to ${stateName(last.toState)} at ${last.bounceRate}%`;
  return `${plural(changes.length, 'change')} of state between ${Math.min(...rates)}% and ${Math.max(...rates)}%${latest}. The table has the same data.`;
}

/** A round number that is not below the highest rate and divides well into four steps. */
function niceTop(highest: number): number {
  const tops = [1, 2, 4, 6, 8, 12, 16, 20, 40, 60, 80, 100];
  return tops.find((top) => top >= highest) ?? highest;
}

function fixed(value: number): string {
  return value.toFixed(2);
}

const tones: Readonly<Record<string, Tone>> = {
  HEALTHY: 'good',
  EXEMPT: 'good',
  WARNING: 'warn',
  SUPERVISED: 'accent',
  CRITICAL: 'bad',
  BLOCKED: 'bad',
};

/** Services may have other states. */
function stateTone(state: string): Tone {
  return tones[state] ?? 'neutral';
}

function stateName(state: string): string {
  return statusWords(truncated(state, 40));
}

/** A deliverability state. */
export function stateBadge(state: string): Html {
  return badge(stateName(state), stateTone(state));
}
