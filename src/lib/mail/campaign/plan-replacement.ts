import type { Campaign } from '../../../api/campaign.ts';
import { compact } from '../../base/text/compact.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { PlannedCall } from '../../command-line/command/plan-of.ts';
import { idToCome } from '../../service/http/plan.ts';
import { waive } from '../message/gate.ts';
import type { CreateRequest } from './create-body.ts';
import { type CreateChoices, createOnce } from './create-campaign.ts';

/** The requests of a replacement, in order, for its plan. */
export function callsToReplace(
  context: Context,
  { id: campaignId, status }: Campaign,
  request: CreateRequest,
  choices: CreateChoices,
): PlannedCall[] {
  const params = { campaignId };
  const { sendNow, scheduledAt } = request.body;
  const isGoing = status === 'SCHEDULED' || status === 'RUNNING';
  const startsLater = choices.asDraft === true && (sendNow === true || scheduledAt !== undefined);
  const start = { params: { campaignId: idToCome }, body: sendNow === true ? {} : { scheduledAt } };
  // What is sent after a comparison says it then.
  const silent = { ...context.notes, say() {}, warn() {} };
  const shown = {
    flags: { ...context.flags, dryRun: true },
    ...(context.flags.dryRun === true ? {} : { notes: silent }),
  };
  return compact<PlannedCall>(
    isGoing && ((client) => client.call('campaign.pause', { params })),
    (client) => createOnce({ ...context, ...client, ...shown }, request, choices),
    (client) => client.call('campaign.delete', { params }),
    startsLater && ((client) => client.callPassed(waive('dry run'), 'campaign.schedule', start)),
  );
}
