import { collect, type FoundAt } from './collect.ts';
import { type EmailFinding, placed } from './finding.ts';
import type { MessageContent } from './message.ts';
import { positionsIn } from './positions.ts';
import { checks } from './table.ts';

/**
 * The findings about an email, in the order of its parts and lines. Findings of one kind are merged into one,
 * with the place of the first and a count. Uses no files and no network, and executes nothing of the email.
 */
export function checkEmail(email: MessageContent): readonly EmailFinding[] {
  const places = {
    html: positionsIn(email.html ?? ''),
    text: positionsIn(email.text ?? ''),
  };
  return findingsIn(email).map((found) => {
    const { where, at } = found;
    const place = where === 'html' || where === 'text' ? places[where] : undefined;
    return placed(found, at === undefined ? {} : (place?.(at) ?? {}));
  });
}

/** The same, with offsets. */
export function findingsIn(email: MessageContent): readonly FoundAt[] {
  return collect(email, checks);
}
