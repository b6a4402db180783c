import * as z from 'zod';
import { campaignStatuses } from './campaign-status.ts';
import {
  mailbox,
  mailboxes,
  pathId,
  shownAddresses,
  singleLine,
  successReply,
  text,
} from './fields.ts';
import { lenientObject, nullishNumber, nullishString } from './lenient.ts';
import { limits } from './limits.ts';
import { operation } from './operation.ts';

const batchSize = z.int().min(limits.campaignBatchSize.min).max(limits.campaignBatchSize.max);

/**
 * A campaign to create. The service requires `content` or `html`, and an unsubscribe placeholder in `html`.
 * `sendNow` overrides `scheduledAt`. Servers also accept English for `scheduledAt`, in their own time zone,
 * so send ISO 8601 in UTC.
 */
export const createCampaignBody = z
  .strictObject({
    name: singleLine,
    from: mailbox,
    subject: singleLine,
    contactBookId: text,
    previewText: text.optional(),
    content: text.optional(),
    html: text.optional(),
    replyTo: mailboxes.optional(),
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    sendNow: z.boolean().optional(),
    scheduledAt: text.optional(),
    batchSize: batchSize.optional(),
  })
  .refine((body) => body.content !== undefined || body.html !== undefined, {
    path: ['html'],
    message: 'is needed unless content is given',
  });

export type CreateCampaignBody = z.infer<typeof createCampaignBody>;

/** The counters of a campaign: all contacts, and how many emails reached each stage. */
const counters = {
  total: nullishNumber,
  sent: nullishNumber,
  delivered: nullishNumber,
  opened: nullishNumber,
  clicked: nullishNumber,
  unsubscribed: nullishNumber,
  bounced: nullishNumber,
  hardBounced: nullishNumber,
  complained: nullishNumber,
};

/** A campaign in full, as create, get and delete return it. Times are ISO 8601 strings. */
export const campaign = lenientObject({
  id: z.string(),
  name: nullishString,
  from: nullishString,
  subject: nullishString,
  previewText: nullishString,
  contactBookId: nullishString,
  html: nullishString,
  content: nullishString,
  status: nullishString,
  scheduledAt: nullishString,
  batchSize: nullishNumber,
  batchWindowMinutes: nullishNumber,
  ...counters,
  replyTo: shownAddresses,
  cc: shownAddresses,
  bcc: shownAddresses,
  createdAt: nullishString,
  updatedAt: nullishString,
});

export type Campaign = z.infer<typeof campaign>;

/** A campaign in a list: without content, and with four of the counters. */
export const campaignSummary = lenientObject({
  id: z.string(),
  name: nullishString,
  from: nullishString,
  subject: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
  status: nullishString,
  scheduledAt: nullishString,
  total: counters.total,
  sent: counters.sent,
  delivered: counters.delivered,
  unsubscribed: counters.unsubscribed,
});

export type CampaignSummary = z.infer<typeof campaignSummary>;

const campaignId = z.strictObject({ campaignId: pathId.min(limits.campaignIdLength.min) });

/** Creates a DRAFT, or starts it with `sendNow` or `scheduledAt`; if that fails with 400, the DRAFT stays. */
export const createCampaign = operation('campaign.create', {
  route: 'POST /v1/campaigns',
  effect: 'mails',
  repeat: 'unsent',
  input: z.strictObject({ body: createCampaignBody }),
  reply: campaign,
});

/** Lists campaigns, newest first. `search` matches names and subjects; `totalPage` may be 0. */
export const listCampaigns = operation('campaign.list', {
  route: 'GET /v1/campaigns',
  input: z.strictObject({
    query: z.strictObject({
      page: z.int().min(1).optional(),
      status: z.enum(campaignStatuses).optional(),
      search: z.string().optional(),
    }),
  }),
  reply: lenientObject({ campaigns: z.array(campaignSummary), totalPage: nullishNumber }),
});

/** One campaign with all counters; the list has fewer. */
export const getCampaign = operation('campaign.get', {
  route: 'GET /v1/campaigns/{campaignId}',
  beyond: true,
  input: z.strictObject({ params: campaignId }),
  reply: campaign,
});

/**
 * Schedules a campaign of any status, even SENT, or starts it now if the body is `{}`. So it is not retried.
 */
export const scheduleCampaign = operation('campaign.schedule', {
  route: 'POST /v1/campaigns/{campaignId}/schedule',
  effect: 'mails',
  repeat: 'unsent',
  input: z.strictObject({
    params: campaignId,
    body: z.strictObject({ scheduledAt: text.optional(), batchSize: batchSize.optional() }),
  }),
  reply: successReply,
});

/** Resumes a campaign, whatever its status: a DRAFT is sent, a SENT one may be sent again. */
export const resumeCampaign = operation('campaign.resume', {
  route: 'POST /v1/campaigns/{campaignId}/resume',
  effect: 'mails',
  repeat: 'unsent',
  input: z.strictObject({ params: campaignId }),
  reply: successReply,
});

/** Pauses a campaign, whatever its status. Emails already handed over are still delivered. */
export const pauseCampaign = operation('campaign.pause', {
  route: 'POST /v1/campaigns/{campaignId}/pause',
  effect: 'changes',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({ params: campaignId }),
  reply: successReply,
});

/** Deletes a campaign and returns it as it was. */
export const deleteCampaign = operation('campaign.delete', {
  route: 'DELETE /v1/campaigns/{campaignId}',
  effect: 'deletes',
  repeat: 'harmless',
  input: z.strictObject({ params: campaignId }),
  reply: campaign,
});
