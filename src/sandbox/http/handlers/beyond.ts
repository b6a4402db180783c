import * as z from 'zod';
import { text } from '../../../api/fields.ts';
import { operations } from '../../../api/operations.ts';
import { pauseCampaign } from '../../model/campaign/campaigns.ts';
import { addDomain } from '../../model/domains.ts';
import type { Route } from '../call.ts';
import { bookRoutes } from './beyond-books.ts';
import { contactRoutes } from './beyond-contacts.ts';
import { beyondRoute } from './beyond-route.ts';

/**
 * Operations that live servers have and the specification has not, for clients that set up what
 * they need: shapes as in the types of the npm package `usesend-js`.
 */

const ofCampaign = z.strictObject({ campaignId: text });

/** The routes outside the contract. */
export const beyondRoutes: readonly Route[] = [
  ...bookRoutes,
  ...contactRoutes,
  beyondRoute(
    {
      id: 'domain.create',
      method: 'POST',
      path: '/v1/domains',
      input: z.strictObject({
        body: z.strictObject({ name: z.string(), region: z.string() }),
      }),
    },
    ({ store, now, input: { body } }) => store.write(() => addDomain(store, body, now)),
  ),
  beyondRoute(
    {
      id: 'campaign.pause',
      method: 'POST',
      path: '/v1/campaigns/{campaignId}/pause',
      input: z.strictObject({ params: ofCampaign }),
    },
    ({ store, now, input }) => {
      store.write(() => pauseCampaign(store, input.params.campaignId, now));
      return { success: true };
    },
  ),
  beyondRoute(
    {
      id: 'doc',
      method: 'GET',
      path: '/v1/doc',
      input: z.strictObject({}),
    },
    async () => {
      const { openApi } = await import('../openapi.ts');
      const beyond = beyondRoutes.map(({ operation }) => operation);
      return openApi([...Object.values(operations), ...beyond]);
    },
  ),
];
