import { html } from 'hono/html';
import { mailboxParts } from '../../../api/address.ts';
import type { Html } from './html.ts';
import { count } from './paging.ts';

/** Untrusted text, cut to `length` characters. Its writing direction does not affect the text around it. */
export function brief(text: string, length = 160): Html {
  return html`<bdi>${truncated(text, length)}</bdi>`;
}

/** `text`, or its beginning and `…`. */
export function truncated(text: string, length = 160): string {
  if (text.length <= length) return text;
  // Does not cut a surrogate pair in half.
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Stands for a value that is missing. */
export const dash = html`<span class="muted">–</span>`;

/** `1 contact`, `12,000 contacts`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The name in an address such as `Shop <shop@example.com>`, or the address if it has none. */
export function shownName(address: string): Html {
  const name = mailboxParts(address)?.name ?? '';
  return html`<bdi>${name === '' ? address : name}</bdi>`;
}

/** The most characters shown of a subject. */
const subjectShown = 500;

/** A subject, which may be empty. */
export function shownSubject(subject: string): Html {
  return subject.trim() === ''
    ? html`<span class="muted">(no subject)</span>`
    : html`<bdi>${truncated(subject, subjectShown)}</bdi>`;
}
