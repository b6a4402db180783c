import { html } from 'hono/html';
import { mailboxParts } from '../../../api/address.ts';
import type { Html } from './layout.ts';
import { moment } from './moment.ts';

/**
 * Text from outside within a line: no longer than `length` characters, and of a writing direction
 * of its own, so that it turns nothing around it.
 */
export function brief(text: string, length = 160): Html {
  return html`<bdi>${truncated(text, length)}</bdi>`;
}

/** `text`, or its beginning and `…`. */
export function truncated(text: string, length = 160): string {
  if (text.length <= length) return text;
  // Not in the middle of a character that takes two.
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A time; a dash for never. */
export function momentOrDash(at: number | null, now: number): Html {
  return at === null ? html`<span class="muted">–</span>` : moment(at, now);
}

/** `1 contact`, `12 contacts`: `shown` is the number as people read it. */
export function plural(value: number, shown: string, noun: string): string {
  return `${shown} ${noun}${value === 1 ? '' : 's'}`;
}

/** The name in an address such as `Shop <shop@example.com>`, or the address when it has none. */
export function shownName(address: string): Html {
  const name = mailboxParts(address)?.name ?? '';
  return html`<bdi>${name === '' ? address : name}</bdi>`;
}

/** Characters of a subject that pages show: each row of the list has one. */
const subjectShown = 500;

/** A subject, which may be empty. */
export function shownSubject(subject: string): Html {
  return subject.trim() === ''
    ? html`<span class="muted">(no subject)</span>`
    : html`<bdi>${truncated(subject, subjectShown)}</bdi>`;
}
