import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Punctuation that belongs to the sentence around a link. */
const trailing = /[.,;:!?)\]}>'"]+$/;

/** Text in which web addresses are links, as mail readers show it. */
export function plainText(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/i);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : link(part)))}`;
}

function link(found: string): Html {
  const url = found.replace(trailing, '');
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>${found.slice(url.length)}`;
}
