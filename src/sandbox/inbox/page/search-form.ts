import { html } from 'hono/html';
import type { Html } from './html.ts';

interface SearchForm {
  /** The name of the field. */
  readonly label: string;
  /** The URL of the list; by default the current page. */
  readonly action?: string;
  readonly value: string;
  /** Other parameters that a search keeps. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A field that searches a list; the parameter is `q`. */
export function searchForm({ label, value, action = '', keep = {} }: SearchForm): Html {
  return html`<form class="search" role="search"${action === '' ? '' : html` action="${action}"`}>
${Object.entries(keep)
  .filter(([, kept]) => kept !== '')
  .map(([name, kept]) => html`<input type="hidden" name="${name}" value="${kept}">`)}
<input type="search" id="q" name="q" value="${value}" aria-label="${label}" placeholder="${label}" maxlength="200"
autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<button>Search</button>
</form>`;
}

/** The search: the first 200 characters of the query parameter `q`. */
export function searchedFor(q: string | undefined): string {
  return (q ?? '').trim().slice(0, 200);
}
