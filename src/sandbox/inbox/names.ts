import { html } from 'hono/html';
import { mailboxParts } from '../../api/address.ts';
import type { Html } from './layout.ts';

/** The name in an address such as `Shop <shop@example.com>`, or the address when it has none. */
export function shownName(address: string): Html {
  const name = mailboxParts(address)?.name ?? '';
  return html`<bdi>${name === '' ? address : name}</bdi>`;
}

/** A subject, which may be empty. */
export function shownSubject(subject: string): Html {
  return subject.trim() === ''
    ? html`<span class="muted">(no subject)</span>`
    : html`<bdi>${subject}</bdi>`;
}
