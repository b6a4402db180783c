import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** What a page needs on which something is copied, or keeps itself up to date. */
export function recordsScript(): Html {
  return html`<script src="/assets/records.js" type="module"></script>`;
}
