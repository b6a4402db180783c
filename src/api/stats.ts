import * as z from 'zod';
import { lenientObject, nullish, nullishNumber } from './lenient.ts';
import { operation } from './operation.ts';
import { statsDays } from './stats-days.ts';

/** What the service counts. An email counts on the day of each of its events. */
const counts = {
  sent: nullishNumber,
  delivered: nullishNumber,
  opened: nullishNumber,
  clicked: nullishNumber,
  bounced: nullishNumber,
  complained: nullishNumber,
};

const sums = lenientObject(counts);

export type MailCounts = z.infer<typeof sums>;

/** The counts of one day in UTC. Live servers write `date` as `Jan 31`, without the year. */
export const dayCounts = lenientObject({ date: z.string(), ...counts });

export type DayCounts = z.infer<typeof dayCounts>;

const domainId = z.int().min(1).optional();

/** Returns the counts of each recent day, oldest first, including days without mail, and their sums. */
export const countByDay = operation('stats.byDay', {
  route: 'GET /v1/analytics/email-time-series',
  beyond: true,
  input: z.strictObject({
    query: z.strictObject({ days: z.enum(statsDays).optional(), domainId }),
  }),
  reply: lenientObject({
    result: z.array(dayCounts),
    totalCounts: nullish(sums),
  }),
});

/** Returns all deliveries of the account, and the rates of hard bounces and complaints, in percent. */
export const countAll = operation('stats.total', {
  route: 'GET /v1/analytics/reputation-metrics',
  beyond: true,
  input: z.strictObject({ query: z.strictObject({ domainId }) }),
  reply: lenientObject({
    delivered: nullishNumber,
    hardBounced: nullishNumber,
    complained: nullishNumber,
    bounceRate: nullishNumber,
    complaintRate: nullishNumber,
  }),
});
