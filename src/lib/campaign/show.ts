import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import { type RecordResult, record, status, time } from '../output/result.ts';

/**
 * A campaign as a record. Some services give only the fields and counters that their list has; all
 * that there are are shown.
 */
export function showCampaign(campaign: CampaignSummary): RecordResult {
  // Unknown fields of a summary are kept; those of a full campaign mean what they mean there.
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
      ['sent', 'Sent', full.sent],
      ['delivered', 'Delivered', full.delivered],
      ['opened', 'Opened', full.opened],
      ['clicked', 'Clicked', full.clicked],
      ['unsubscribed', 'Unsubscribed', full.unsubscribed],
      ['bounced', 'Bounced', full.bounced],
      ['hardBounced', 'Hard bounced', full.hardBounced],
      ['complained', 'Complained', full.complained],
    ],
  });
}
