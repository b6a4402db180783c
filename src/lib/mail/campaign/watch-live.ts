import { usesColor } from '../../base/terminal/uses-color.ts';
import type { Context } from '../../command-line/command/context.ts';
import { createPalette } from '../../command-line/output/palette.ts';
import type { RecordResult } from '../../command-line/output/result.ts';
import { createLiveView } from './live-view.ts';
import { showCampaign } from './show-campaign.ts';
import { type CampaignWait, campaignInLine, watchCampaign } from './watch-campaign.ts';
import { watchFailure } from './watch-result.ts';

/** Watches a campaign, on a terminal or in lines on stderr, and returns its last snapshot. */
export async function watchLive(context: Context, wait: CampaignWait): Promise<RecordResult> {
  const { flags, progress, system } = context;
  const live = createLiveView({
    now: () => context.serviceNow(),
    monotonic: () => system.monotonic(),
    timeZone: await context.timeZone(),
    offsets: await context.namesOffsets(),
    palette: await createPalette(usesColor(system.env, system.stderr, flags)),
  });
  let last = wait.first;
  const watch = async () => {
    for await (last of watchCampaign(context, wait)) {
      live.show(last);
      wait.waiting.report(
        '',
        last.ending === undefined ? campaignInLine(last.campaign, context.serviceNow()) : '',
      );
    }
  };
  await progress.during('', watch, async () => live.view);
  // The last snapshot always has an ending.
  const { campaign, ending = 'timeout' } = last;
  return {
    ...showCampaign(campaign, context.serviceNow()),
    failure: watchFailure(context, wait, campaign, ending),
  };
}
