import { html } from 'hono/html';
import { filterExamples } from '../../model/email/message-query.ts';
import type { Html } from './html.ts';

const keys = [
  [['j', '↓'], 'next message'],
  [['k', '↑'], 'previous message'],
  [['Enter'], 'open it'],
  [['/'], 'search'],
  [['Esc'], 'leave the search'],
  [['?'], 'show this'],
] as const;

/** The button and the dialog that list the keys and the filters of the search. */
export function keysHelp(): Html {
  return html`<button type="button" class="quiet help" popovertarget="keys" aria-keyshortcuts="?">Keys</button>
<div popover id="keys" role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl class="facts">${keys.map(
    ([names, meaning]) =>
      html`<dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${meaning}</dd>`,
  )}</dl>
<h2>Search for messages</h2>
<p>Words, phrases in quotes, and filters:</p>
${filterList()}
<p class="actions"><button type="button" popovertarget="keys" popovertargetaction="hide" autofocus>Close</button></p></div>`;
}

/** An example of each filter. */
export function filterList(): Html {
  return html`<p class="filters small">${filterExamples.map((example) => html`<code>${example}</code> `)}</p>`;
}
