import { limits } from '../../../api/limits.ts';
import { readCampaignDate } from '../../model/campaign/campaign-dates.ts';
import {
  type CampaignRow,
  removeCampaign,
  searchable,
  selectCampaign,
  setPaused,
  setSchedule,
  shownCampaign,
  shownDeletedCampaign,
  shownSummary,
  storeDraft,
  storedCampaign,
  unpauseCampaign,
} from '../../model/campaign/campaigns.ts';
import { whereOf } from '../../store/where.ts';
import type { Handlers } from '../call.ts';

export const campaignHandlers: Handlers<'campaign'> = {
  async 'campaign.create'({ store, now, input: { body } }) {
    const id = store.write(() => storeDraft(store, body, now));
    const when = body.sendNow ? undefined : body.scheduledAt;
    if (body.sendNow || when) {
      // Not in the same transaction: as on live servers, the draft stays if this fails.
      const at = when ? await readCampaignDate(when, now) : now;
      store.write(() => setSchedule(store, id, { at, batchSize: body.batchSize }, now));
    }
    return shownCampaign(storedCampaign(store, id));
  },

  'campaign.list'({ store, input: { query } }) {
    const { where, values } = whereOf([
      ['status = ?', query.status],
      // As on live servers, `%` and `_` are wildcards.
      ["search_text LIKE ? ESCAPE '\\'", query.search && `%${searchable(query.search)}%`],
    ]);
    const size = limits.campaignsPerPage;
    const rows = store.all<CampaignRow>(
      `${selectCampaign} ${where} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
      ...values,
      size,
      ((query.page ?? 1) - 1) * size,
    );
    const total = store.value<number>(`SELECT count(*) FROM campaigns ${where}`, ...values) ?? 0;
    return { campaigns: rows.map(shownSummary), totalPage: Math.ceil(total / size) };
  },

  'campaign.get': ({ store, input }) =>
    shownCampaign(storedCampaign(store, input.params.campaignId)),

  async 'campaign.schedule'({ store, now, input: { params, body } }) {
    storedCampaign(store, params.campaignId);
    const { scheduledAt, batchSize } = body;
    const at = scheduledAt ? await readCampaignDate(scheduledAt, now) : now;
    store.write(() => setSchedule(store, params.campaignId, { at, batchSize }, now));
    return { success: true };
  },

  'campaign.pause'({ store, now, input }) {
    store.write(() => setPaused(store, input.params.campaignId, now));
    return { success: true };
  },

  'campaign.resume'({ store, now, input }) {
    store.write(() => unpauseCampaign(store, input.params.campaignId, now));
    return { success: true };
  },

  'campaign.delete'({ store, input }) {
    const { campaignId } = input.params;
    return store.write(() => {
      const campaign = storedCampaign(store, campaignId);
      removeCampaign(store, campaignId);
      return shownDeletedCampaign(campaign);
    });
  },
};
