import type { CreateCampaignBody } from '../../../api/campaign.ts';
import { loadOperation } from '../../../api/load-operation.ts';
import type { Context } from '../../command-line/command/context.ts';

/**
 * Asks the policy about a campaign that is to be created, before a command of several steps changes anything. Throws a
 * `PolicyError`.
 */
export async function refuseCampaign(context: Context, body: CreateCampaignBody): Promise<void> {
  const { policy } = await context.policy();
  if (policy.shown.length === 0) return;
  const [{ refuseTooMany }, { examineMail }, { method, path }] = await Promise.all([
    import('../../command-line/command/refuse-too-many.ts'),
    import('../../service/policy/examine-mail.ts'),
    loadOperation('campaign.create'),
  ]);
  const { units } = await examineMail({
    ...{ kind: 'campaign create', ids: {}, policy, idempotencyKey: undefined, showOnly: false },
    ...{ request: { method, path, body: JSON.stringify(body) }, call: context.call },
  });
  await refuseTooMany(context, units);
}
