import * as z from 'zod';
import { text } from '../../api/fields.ts';
import { operations } from '../../api/operations.ts';
import type { Route } from '../call.ts';
import { pauseCampaign } from '../campaigns.ts';
import { findDomain, storeDomain } from '../domains.ts';
import { ApiError } from '../errors.ts';
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
        body: z.strictObject({
          name: z.string().regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i),
          region: z.string().optional(),
        }),
      }),
    },
    ({ store, now, input: { body } }) =>
      store.write(() => {
        const name = body.name.toLowerCase();
        if (store.one('SELECT 1 FROM domains WHERE name = ?', name) !== undefined) {
          throw new ApiError('BAD_REQUEST', 'Domain already exists');
        }
        const region = body.region === undefined ? {} : { region: body.region };
        const id = storeDomain(store, { name, status: 'PENDING', createdAt: now, ...region });
        return findDomain(store, id);
      }),
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
