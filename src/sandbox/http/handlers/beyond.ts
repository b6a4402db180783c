import * as z from 'zod';
import { text } from '../../../api/fields.ts';
import { operations } from '../../../api/operations.ts';
import { pauseCampaign } from '../../model/campaign/campaigns.ts';
import { addDomain } from '../../model/domains.ts';
import type { Route } from '../call.ts';
import { bookRoutes } from './beyond-books.ts';
import { contactRoutes } from './beyond-contacts.ts';
import { beyondRoute } from './beyond-route.ts';

const ofCampaign = z.strictObject({ campaignId: text });

/**
 * Operations of live servers that are not in the specification, for other clients. Their shapes are
 * those of the types of the npm package `usesend-js`.
 */
export const beyondRoutes: readonly Route[] = [
  ...bookRoutes,
  ...contactRoutes,
  beyondRoute(
    ['domain.create', 'POST', '/v1/domains'],
    {
      body: z.strictObject({ name: z.string(), region: z.string() }),
    },
    ({ store, now, input: { body } }) => store.write(() => addDomain(store, body, now)),
  ),
  beyondRoute(
    ['campaign.pause', 'POST', '/v1/campaigns/{campaignId}/pause'],
    { params: ofCampaign },
    ({ store, now, input }) => {
      store.write(() => pauseCampaign(store, input.params.campaignId, now));
      return { success: true };
    },
  ),
  beyondRoute(['doc', 'GET', '/v1/doc'], {}, async () => {
    const { openApi } = await import('../openapi.ts');
    const beyond = beyondRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...beyond]);
  }),
];
