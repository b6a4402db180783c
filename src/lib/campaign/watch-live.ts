import type { CampaignSummary } from '../../api/campaign.ts';
import type { Context } from '../command/context.ts';
import type { Polling } from '../command/poll.ts';
import { createPalette } from '../output/palette.ts';
import type { RecordResult } from '../output/result.ts';
import { usesColor } from '../terminal/uses-color.ts';
import { stateOf } from './counters.ts';
import { createLiveView } from './live-view.ts';
import { showCampaign } from './show.ts';
import { type CampaignSnapshot, watchCampaign } from './watch.ts';
import { watchFailure } from './watch-result.ts';

/** Watches a campaign, on a terminal or in lines on stderr, and returns its last snapshot. */
export async function watchLive(
  context: Context,
  first: CampaignSummary,
  polling: Polling,
): Promise<RecordResult> {
  const { flags, progress, report, system } = context;
  const live = createLiveView({
    now: () => system.now(),
    monotonic: () => system.monotonic(),
    timeZone: await context.timeZone(),
    offsets: await context.namesOffsets(),
    palette: await createPalette(usesColor(system.env, system.stderr, flags)),
  });
  let last: CampaignSnapshot = {
    campaign: first,
    at: system.monotonic(),
    date: system.now(),
    ending: undefined,
  };
  const watch = async () => {
    for await (last of watchCampaign(context, first, polling, report)) {
      live.show(last);
      const { id, name } = last.campaign;
      report('', last.ending === undefined ? `${name ?? id}: ${stateOf(last.campaign)}` : '');
    }
  };
  await progress.during('', watch, async () => live.view);
  // The last snapshot always has an ending.
  const { campaign, ending = 'timeout' } = last;
  return { ...showCampaign(campaign), failure: watchFailure(context, campaign, ending) };
}
