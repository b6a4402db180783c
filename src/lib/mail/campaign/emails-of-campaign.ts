import { bareAddress } from '../../../api/bare-address.ts';
import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import type { EmailListItem } from '../../../api/email.ts';
import { merge, onOneLine } from '../../../shared/merge.ts';
import type { Context } from '../../command-line/command/context.ts';
import { isLike } from '../../service/policy/pattern.ts';
import { bookAddresses } from './book-addresses.ts';

/** What tells the emails of a campaign from others, as the service does not say of which campaign an email is. */
export interface EmailsOfCampaign {
  /** When the first one can have been created, in milliseconds since 1970. */
  readonly since: number;
  /** Whether an email of that time looks like one of them. */
  readonly matches: (email: EmailListItem) => boolean;
  /** Whether recipients are compared with the contacts of its book as it is now. */
  readonly knowsContacts: boolean;
}

/** Reads the contacts of the campaign's book, if the service lists all of them. `now` is by the service's clock. */
export async function emailsOfCampaign(
  context: Context,
  campaign: CampaignSummary & Partial<Campaign>,
  now: number,
): Promise<EmailsOfCampaign> {
  const { from, subject, createdAt, scheduledAt, contactBookId } = campaign;
  const start = Date.parse(scheduledAt ?? '');
  const sender = bareAddress(from ?? '');
  // Every placeholder becomes a star: which values it had cannot be asked.
  const pattern = merge(subject ?? '', () => '*', onOneLine);
  const book = contactBookId
    ? await bookAddresses(context, contactBookId, 'The emails were not looked for.')
    : undefined;
  const contacts = book?.isWhole === true ? book.addresses : undefined;
  const isContact = (to: string | null | undefined) =>
    contacts?.has(bareAddress(to ?? '')) !== false;
  return {
    since: start <= now ? start : Date.parse(createdAt ?? '') || 0,
    knowsContacts: contacts !== undefined,
    matches: ({ from, to, subject }) =>
      bareAddress(from ?? '') === sender &&
      isLike(subject ?? '', pattern) &&
      [to].flat().some(isContact),
  };
}
