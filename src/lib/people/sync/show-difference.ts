import { compact } from '../../base/text/compact.ts';
import { cut } from '../../base/text/flow.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { visible } from '../../base/text/visible.ts';
import type { Change } from '../contact/compare-contacts.ts';
import type { Action, Difference } from './difference.ts';
import type { SyncPlan } from './plan.ts';

/** The most differences listed for a person. */
export const mostShown = 20;

const signs: Readonly<Record<Action, string>> = {
  add: '+',
  change: '~',
  unsubscribe: '-',
  delete: '-',
  keep: '?',
};

/** The first differences, one per line, for a terminal of this width. */
export function differenceLines(
  differences: readonly Difference[],
  columns: number,
): readonly string[] {
  const lines = differences.slice(0, mostShown).map(({ email, action, changes }) => {
    const words = visible(action === 'change' ? changesInWords(changes) : action);
    return cut(`${signs[action]} ${visible(email)}  ${words}`, columns);
  });
  return withOverflowCount(lines, differences.length);
}

/** `firstName: Ben → Benjamin, properties.plan: pro`. */
export function changesInWords(changes: readonly Change[]): string {
  return changes
    .map(({ field, from, to }) => `${field}: ${from === null ? '' : `${from} → `}${to}`)
    .join(', ');
}

/** The question that asks for confirmation. */
export function syncQuestion({
  counts: { added, changed, unsubscribed, deleted },
  contacts,
  mails,
}: Pick<SyncPlan, 'counts' | 'contacts' | 'mails'>): string {
  const parts = [
    ...(added > 0 ? [`add ${grouped(added)}`] : []),
    ...(changed > 0 ? [`change ${grouped(changed)}`] : []),
    ...(unsubscribed > 0 ? [`unsubscribe ${grouped(unsubscribed)}`] : []),
    ...(deleted > 0 ? [`delete ${grouped(deleted)}`] : []),
  ];
  const last = parts.pop() ?? '';
  const all = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return [
    `The book has ${quantity(contacts, 'contact')}.`,
    ...(mails === '' ? [] : [`${mails} that asks for confirmation.`]),
    `${all.charAt(0).toUpperCase()}${all.slice(1)}?`,
  ].join(' ');
}

/** What happened, or would happen. */
export function countsInWords(
  counts: SyncPlan['counts'],
  { isDone }: { readonly isDone: boolean },
): string {
  const { added, changed, unchanged, missing, unsubscribed, deleted, stayUnsubscribed } = counts;
  const kept = missing - unsubscribed - deleted;
  const parts = compact(
    `${grouped(added)} ${isDone ? 'added' : 'to add'}`,
    `${grouped(changed)} ${isDone ? 'changed' : 'to change'}`,
    `${grouped(unchanged)} unchanged`,
    unsubscribed > 0 && `${grouped(unsubscribed)} ${isDone ? 'unsubscribed' : 'to unsubscribe'}`,
    deleted > 0 && `${grouped(deleted)} ${isDone ? 'deleted' : 'to delete'}`,
    stayUnsubscribed > 0 &&
      `${grouped(stayUnsubscribed)} unsubscribed before, and not subscribed again`,
    kept > 0 && `${grouped(kept)} not in the file, and kept`,
  );
  return `Contacts: ${parts.join('; ')}.`;
}
