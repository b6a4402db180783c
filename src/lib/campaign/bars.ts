import type { CampaignSummary } from '../../api/campaign.ts';
import { countAt } from '../output/count-at.ts';
import type { Palette } from '../output/palette.ts';
import { bar, percent, percentWidth, widestBar } from '../text/bar.ts';
import { cut } from '../text/flow.ts';
import { grouped } from '../text/quantity.ts';
import { counterOf, counters } from './counters.ts';

const narrowestBar = 4;
const gap = '  ';

const tones = { good: 'green', doubtful: 'magenta', bad: 'red' } as const;

/** One line per counter that the campaign has: its name, a bar, the percentage and the number. */
export function barLines(campaign: CampaignSummary, columns: number, palette: Palette): string[] {
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
