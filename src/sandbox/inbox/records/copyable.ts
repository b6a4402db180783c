import { html } from 'hono/html';
import type { Html } from '../layout.ts';

/**
 * A text to be put somewhere else: a click selects all of it, and where there is script a button
 * copies it. `name` says what is copied.
 */
export function copyable(text: string, name: string): Html {
  return html`<span class="copyable"><code class="selectable" tabindex="0">${text}</code>${copyButton(text, name)}</span>`;
}

/** The button alone; it is not there without script. */
export function copyButton(text: string, name: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy the ${name}" hidden>Copy</button>`;
}
