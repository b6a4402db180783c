import { html } from 'hono/html';
import type { Html } from './layout.ts';

interface SearchForm {
  /** What is searched, as the name of the field. */
  readonly label: string;
  /** The page with the list; by default the page that has the form. */
  readonly action?: string;
  readonly value: string;
  /** Other parts of the query that a search keeps. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A field to search the list with. The search is part of the URL, as `q`. */
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
