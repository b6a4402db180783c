import { html } from 'hono/html';
import type { Html } from './html.ts';

/** A text to paste elsewhere: a click selects all of it, and a button copies it. `name` says what it is. */
export function copyable(text: string, name: string): Html {
  return html`<span class="copyable" data-copyable><code class="selectable" tabindex="0">${text}</code>${copyButton(name)}</span>`;
}

/** The button alone. It copies the `selectable` text of the `data-copyable` element around both. */
export function copyButton(name: string): Html {
  return html`<button type="button" class="copy" aria-label="Copy the ${name}">Copy</button>`;
}
