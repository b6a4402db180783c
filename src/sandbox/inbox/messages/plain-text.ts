import { html } from 'hono/html';
import type { Html } from '../page/layout.ts';

/** Punctuation that belongs to the sentence around a link, where it ends with it. */
const trailing = new Set('.,;:!?)]}>\'"');

/** Text in which web addresses are links, as mail readers show it. */
export function plainText(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/i);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : link(part)))}`;
}

function link(found: string): Html {
  let end = found.length;
  // A pattern would take the square of the time for a long row of dots.
  while (end > 0 && trailing.has(found.charAt(end - 1))) end--;
  const url = found.slice(0, end);
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>${found.slice(end)}`;
}
