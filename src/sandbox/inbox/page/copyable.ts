import { html } from 'hono/html';
import type { Html } from './layout.ts';

/**
 * A text to be put somewhere else: a click selects all of it, and where there is script a button
 * copies it. `name` says what is copied.
 */
export function copyable(text: string, name: string): Html {
  return html`<span class="copyable" data-copyable><code class="selectable" tabindex="0">${text}</code>${copyButton(name)}</span>`;
}

/**
 * The button alone: it copies the `selectable` text of the `data-copyable` element around both. It
 * is not there without script.
 */
export function copyButton(name: string): Html {
  return html`<button type="button" class="copy" aria-label="Copy the ${name}" hidden>Copy</button>`;
}

/** What a page needs on which something is copied, or keeps itself up to date. */
export function recordsScript(): Html {
  return html`<script src="/assets/records.js" type="module"></script>`;
}
