import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import { type RecordResult, record, status, time } from '../../command-line/output/result.ts';
import { counters } from './counters.ts';
import { overdueNotes } from './overdue.ts';

/** A campaign as a record, with the fields and counters that the service returns. */
export function showCampaign(campaign: CampaignSummary, now: number): RecordResult {
  // Summaries keep unknown fields, which mean the same as in a full campaign.
  const full: CampaignSummary & Partial<Campaign> = campaign;
  return record({
    reply: campaign,
    quiet: campaign.id,
    rows: [
      ['id', 'Id', full.id],
      ['name', 'Name', full.name],
      ['status', 'Status', status(full.status)],
      ['from', 'From', full.from],
      ['subject', 'Subject', full.subject],
      ['previewText', 'Preview', full.previewText],
      ['replyTo', 'Reply-To', full.replyTo],
      ['cc', 'Cc', full.cc],
      ['bcc', 'Bcc', full.bcc],
      ['contactBookId', 'Contact book', full.contactBookId],
      ['scheduledAt', 'Scheduled', time(full.scheduledAt)],
      ['batchSize', 'Batch size', full.batchSize],
      ['createdAt', 'Created', time(full.createdAt)],
      ['updatedAt', 'Updated', time(full.updatedAt)],
      ['total', 'Contacts', full.total],
      ...counters.map(({ field, label }) => [field, label, full[field]] as const),
    ],
    note: overdueNotes(campaign, now),
  });
}
