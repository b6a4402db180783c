import { type Figures, figuresByDay, rate, sumOf } from '../../model/email/figures.ts';
import { dayStart } from '../../model/iso.ts';
import type { Handlers } from '../call.ts';

const day = 86_400_000;

export const statsHandlers: Handlers<'stats'> = {
  'stats.byDay'({ store, now, input: { query } }) {
    const since = dayStart(now) - Number(query.days ?? 30) * day;
    const found = figuresByDay(store, { since, domainId: query.domainId });
    const byDate = new Map(found.map(({ date, figures }) => [date, figures]));
    const result = [];
    for (let at = since; at <= now; at += day) {
      const figures = byDate.get(new Date(at).toISOString().slice(0, 10)) ?? sumOf([]);
      result.push({ date: monthAndDay(at), ...counts(figures) });
    }
    return { result, totalCounts: counts(sumOf(found.map(({ figures }) => figures))) };
  },

  'stats.total'({ store, input: { query } }) {
    const found = figuresByDay(store, { since: 0, domainId: query.domainId });
    const { delivered, hardBounced, complained } = sumOf(found.map(({ figures }) => figures));
    return {
      delivered,
      hardBounced,
      complained,
      // As on live servers, a share of the delivered emails.
      bounceRate: rate(hardBounced, delivered),
      complaintRate: rate(complained, delivered),
    };
  },
};

function counts({ hardBounced: _, ...figures }: Figures) {
  return figures;
}

/** A date as live servers write it: `Jan 31`. Not by `Intl`, which takes 15 ms to start, for every command. */
function monthAndDay(at: number): string {
  const [, day, month] = new Date(at).toUTCString().split(' ');
  return `${month} ${day}`;
}
