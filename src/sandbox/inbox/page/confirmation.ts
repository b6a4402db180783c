import { html } from 'hono/html';
import type { Html } from './html.ts';

interface Confirmation {
  /** Also the element's id. A button with this `popovertarget` opens it, even without script. */
  readonly id: string;
  readonly question: string;
  readonly explanation: string;
  /** The URL that the form posts to, and what it sends. */
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The text of the button that confirms. */
  readonly label: string;
}

/** A dialog that asks before something is deleted. */
export function confirmation(asked: Confirmation): Html {
  const { id, question, explanation, action, fields = {}, label } = asked;
  return html`<div popover id="${id}" role="dialog" aria-labelledby="${id}-title">
<form method="post" action="${action}"><h2 id="${id}-title">${question}</h2>
<p>${explanation}</p>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions"><button class="danger">${label}</button>
<button type="button" popovertarget="${id}" popovertargetaction="hide" autofocus>Cancel</button></p></form></div>`;
}

/** The button that opens the dialog. */
export function asks(id: string, label: string): Html {
  return html`<button type="button" class="quiet" popovertarget="${id}">${label}</button>`;
}
