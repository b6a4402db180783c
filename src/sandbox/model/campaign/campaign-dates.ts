import * as z from 'zod';
import { dateTime } from '../../../api/fields.ts';
import { ApiError } from '../../store/errors.ts';

const iso8601 = z.union([dateTime, z.iso.date()]);

/**
 * When a campaign starts, in milliseconds since 1970. Reads ISO 8601 (a date alone is midnight in UTC), and
 * English in UTC and, as on live servers, without preferring the future. Throws `ApiError` BAD_REQUEST for
 * other texts.
 */
export async function readCampaignDate(text: string, now: number): Promise<number> {
  if (iso8601.safeParse(text).success) return Date.parse(text);
  // Loaded lazily, because it is large and only English needs it.
  const chrono = await import('chrono-node');
  // The version of chrono on live servers does not know this phrase.
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
