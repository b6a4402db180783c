import * as z from 'zod';
import { dateTime } from '../../../api/fields.ts';
import { ApiError } from '../../store/errors.ts';

const iso8601 = z.union([dateTime, z.iso.date()]);

/**
 * When a campaign is to start, in milliseconds since 1970: ISO 8601 (a date alone is its midnight
 * in UTC), or English, which is read in UTC and, as live servers do, without preferring the
 * future. Throws `ApiError` BAD_REQUEST when it cannot be read.
 */
export async function readCampaignDate(text: string, now: number): Promise<number> {
  if (iso8601.safeParse(text).success) return Date.parse(text);
  // Large, and needed for English only.
  const chrono = await import('chrono-node');
  // A phrase that this chrono reads and that of live servers does not.
  const unread = /\bend of\b/i.test(text);
  const date = unread ? null : chrono.parseDate(text, { instant: new Date(now), timezone: 0 });
  if (date === null) {
    throw new ApiError(
      'BAD_REQUEST',
      `Invalid date format: ${text}. Use ISO 8601 or English such as "tomorrow 9am".`,
    );
  }
  return date.getTime();
}
