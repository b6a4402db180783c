import * as z from 'zod';
import { text } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { operations } from '../../api/operations.ts';
import { type Route, route } from '../call.ts';
import { findCampaign, pauseCampaign, shownCampaign } from '../campaigns.ts';
import { findDomain, storeDomain } from '../domains.ts';
import { ApiError, BareNotFound } from '../errors.ts';
import { bookRoutes } from './beyond-books.ts';
import { contactRoutes } from './beyond-contacts.ts';

/**
 * Operations that live servers have and the specification has not, for clients that set up what
 * they need: shapes as in the types of the npm package `usesend-js`.
 */

const anyReply = z.unknown();
const ofCampaign = z.strictObject({ campaignId: text });
const ofDomain = z.strictObject({ id: z.int().min(1) });

const createDomain = operation({
  id: 'domain.create',
  method: 'POST',
  path: '/v1/domains',
  effect: 'writes',
  repeat: 'unsent',
  input: z.strictObject({
    body: z.strictObject({
      name: z.string().regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i),
      region: z.string().optional(),
    }),
  }),
  reply: anyReply,
});

const getDomain = operation({
  id: 'domain.get',
  method: 'GET',
  path: '/v1/domains/{id}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: ofDomain }),
  reply: anyReply,
});

const getCampaign = operation({
  id: 'campaign.get',
  method: 'GET',
  path: '/v1/campaigns/{campaignId}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: ofCampaign }),
  reply: anyReply,
});

const pause = operation({
  id: 'campaign.pause',
  method: 'POST',
  path: '/v1/campaigns/{campaignId}/pause',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({ params: ofCampaign }),
  reply: anyReply,
});

const getDocument = operation({
  id: 'doc',
  method: 'GET',
  path: '/v1/doc',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({}),
  reply: anyReply,
});

/** The routes outside the contract. */
export const beyondRoutes: readonly Route[] = [
  ...bookRoutes,
  ...contactRoutes,
  route(createDomain, ({ store, now, input: { body } }) =>
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
  route(getDomain, ({ store, input }) => {
    const domain = findDomain(store, input.params.id);
    if (domain === undefined) throw new BareNotFound('Domain not found');
    return domain;
  }),
  route(getCampaign, ({ store, input }) =>
    shownCampaign(findCampaign(store, input.params.campaignId)),
  ),
  route(pause, ({ store, now, input }) => {
    store.write(() => pauseCampaign(store, input.params.campaignId, now));
    return { success: true };
  }),
  route(getDocument, async () => {
    const { openApi } = await import('../openapi.ts');
    const beyond = beyondRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...beyond]);
  }),
];
