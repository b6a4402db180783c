import * as z from 'zod';
import { limits } from './limits.ts';
import { operation } from './operation.ts';
import { shown } from './shown.ts';

/**
 * One change of the account's deliverability state. `bounceRate` is a percentage from 0 to 100;
 * `sampleSize` the number of emails it was measured over. `actor` is `suporte` when the
 * provider's staff made the change. The set of states is open.
 */
export const reputationEvent = z.looseObject({
  id: z.string(),
  fromState: z.string(),
  toState: z.string(),
  bounceRate: shown(z.number()),
  sampleSize: shown(z.number()),
  actor: shown(z.string()),
  reason: shown(z.string()),
  createdAt: z.string(),
});

export type ReputationEvent = z.infer<typeof reputationEvent>;

/** Lists the changes of the deliverability state, newest first. */
export const listReputationEvents = operation({
  id: 'reputation.events',
  method: 'GET',
  path: '/v1/reputation/events',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({
    query: z.strictObject({
      limit: z.int().min(limits.reputationEvents.min).max(limits.reputationEvents.max).optional(),
    }),
  }),
  reply: z.array(reputationEvent),
});
