import { html } from 'hono/html';
import { mailboxParts } from '../../../api/address.ts';
import type { Html } from './layout.ts';
import { shortened } from './words.ts';

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
    : html`<bdi>${shortened(subject, subjectShown)}</bdi>`;
}
