import type { CampaignSummary } from '../../../api/campaign.ts';
import type { View } from '../../base/terminal/live-region.ts';
import {
  rateOf,
  rateText,
  type Sample,
  stopwatch,
  timeLeft,
  timeLeftText,
  withSample,
} from '../../base/terminal/rate.ts';
import { bar, percent, percentWidth, widestBar } from '../../base/text/bar.ts';
import { cut, flow } from '../../base/text/flow.ts';
import { localTime } from '../../base/text/local-time.ts';
import { grouped } from '../../base/text/quantity.ts';
import { relativeTime } from '../../base/text/time-in-words.ts';
import { visible } from '../../base/text/visible.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import { colorStatus, type Palette } from '../../command-line/output/palette.ts';
import { counterOf, counters, stateOf } from './counters.ts';
import type { CampaignSnapshot } from './watch-campaign.ts';

interface LiveOptions {
  /** Milliseconds since 1970, for dates. */
  readonly now: () => number;
  /** The monotonic clock of the snapshots, in milliseconds. */
  readonly monotonic: () => number;
  readonly timeZone: string;
  /** Whether times are shown with their offset from UTC. */
  readonly offsets: boolean;
  readonly palette: Palette;
}

/**
 * The period over which the rate is measured, in milliseconds: several batches long, so that it is steady.
 */
const window = 5 * 60_000;

/** After this many milliseconds without a change, the view shows that instead of a rate. */
const still = 60_000;

/** Shows a campaign on a terminal: one line with its progress, and a bar per counter. */
export function createLiveView(options: LiveOptions): {
  show(look: CampaignSnapshot): void;
  view: View;
} {
  const started = options.monotonic();
  let campaign: CampaignSummary | undefined;
  let changed = started;
  let samples: readonly Sample[] = [];
  return {
    show({ campaign: seen, at }) {
      if (campaign === undefined || stateOf(seen) !== stateOf(campaign)) changed = at;
      const sent = counterOf(seen, 'sent');
      samples = sent === undefined ? [] : withSample(samples, { at, done: sent }, window);
      campaign = seen;
    },
    view(columns) {
      if (campaign === undefined) return [];
      const quiet = options.monotonic() - changed;
      const pace = quiet < still ? paceOf(campaign, samples) : [stillness(quiet)];
      const fitted = (text: string) => cut(visible(text), columns);
      const words = [
        options.palette.bold(fitted(campaign.name ?? campaign.id)),
        colorStatus(fitted(campaign.status ?? 'unknown'), options.palette),
        fitted(stopwatch(options.monotonic() - started)),
        ...(campaign.status === 'SCHEDULED' ? startOf(campaign, options) : pace).map(fitted),
      ];
      return [...flow(words, '  ', columns), ...barLines(campaign, columns, options.palette)];
    },
  };
}

function paceOf(campaign: CampaignSummary, samples: readonly Sample[]): string[] {
  const rate = rateOf(samples);
  const left = timeLeft(counterOf(campaign, 'sent'), counterOf(campaign, 'total'), rate);
  return [...(rate ? [rateText(rate)] : []), ...(left === undefined ? [] : [timeLeftText(left)])];
}

function stillness(ms: number): string {
  return `no change for ${Math.floor(ms / 60_000)} min`;
}

function startOf(
  { scheduledAt }: CampaignSummary,
  { now, timeZone, offsets }: LiveOptions,
): string[] {
  const at = Date.parse(scheduledAt ?? '');
  if (Number.isNaN(at)) return [];
  const when = localTime(new Date(at), timeZone, { offset: offsets });
  return at > now() ? [`starts ${relativeTime(at, now())}`, when] : [`due since ${when}`];
}

const narrowestBar = 4;
const gap = '  ';

const tones = { good: 'green', doubtful: 'magenta', bad: 'red' } as const;

/** One line per counter that the campaign has: its name, a bar, the percentage and the number. */
function barLines(campaign: CampaignSummary, columns: number, palette: Palette): string[] {
  const shown = (field: string) => grouped(countAt(campaign, field) ?? '');
  const rows = counters.flatMap(({ field, label, of, tone }) => {
    const count = counterOf(campaign, field);
    const share = shareOf(count, counterOf(campaign, of));
    return count === undefined ? [] : [{ field, label, tone, share, count: shown(field) }];
  });
  const labels = Math.max(0, ...rows.map(({ label }) => label.length));
  const counts = Math.max(0, ...rows.map(({ count }) => count.length));
  const total = counterOf(campaign, 'total');
  const ofTotal = total === undefined ? '' : ` of ${shown('total')}`;
  const rest = columns - labels - percentWidth - counts - 2 * gap.length;
  const spacious = rest - gap.length - ofTotal.length >= narrowestBar * 2;
  const room = rest - gap.length - (spacious ? ofTotal.length : 0);
  const width = room < narrowestBar ? 0 : Math.min(room, widestBar);
  return rows.map(({ field, label, tone, share, count }) => {
    const cells = [
      label.padEnd(labels),
      ...(width === 0 ? [] : [bar(share ?? 0, width, palette[tones[tone]], palette.dim)]),
      percent(share).padStart(percentWidth),
      count.padStart(counts) + (spacious && field === 'sent' ? ofTotal : ''),
    ];
    return width === 0 ? cut(cells.join(gap), columns) : cells.join(gap);
  });
}

/** The share of `count` in `whole`; undefined if there is none. */
function shareOf(count: number | undefined, whole: number | undefined): number | undefined {
  return count === undefined || whole === undefined || whole === 0 ? undefined : count / whole;
}
