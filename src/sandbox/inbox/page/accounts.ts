import { html } from 'hono/html';
import { type AccountName, keyOf, pagesOf } from '../../model/api-account.ts';
import type { Html } from './html.ts';

/** Where a page has the button that shows the accounts, if there are others. */
export const accountsPlace = '<!--accounts-->';

interface Accounts {
  /** The account whose page it is. */
  readonly account: AccountName;
  /** All test accounts. */
  readonly names: readonly string[];
}

/**
 * A page as one of an account: its links stay below the path of the account, and a button leads to the others. Values
 * in a page are escaped, so nothing else looks like a link or the place of the button.
 */
export async function ofAccount(text: string, { account, names }: Accounts): Promise<string> {
  const own = text.replace(
    / (href|action|src|data-updates)="\/(?!\/)/g,
    ` $1="${pagesOf(account)}/`,
  );
  const shown = String(await picker(account, names));
  return own.replace(accountsPlace, () => shown);
}

/** The button, and the dialog with a link to each account. */
function picker(account: AccountName, names: readonly string[]): Html {
  const link = (name: AccountName) => {
    const href = name === undefined ? '/accounts/' : `${pagesOf(name)}/`;
    return html`<a href="${href}"${name === account ? html` aria-current="page"` : ''}>${keyOf(name)}</a>`;
  };
  return html`<button type="button" class="quiet accounts" popovertarget="accounts">${
    account === undefined ? 'Accounts' : `Account ${account}`
  }</button>
<div popover id="accounts" role="dialog" aria-labelledby="accounts-title"><h2 id="accounts-title">Accounts</h2>
<p>Each key is an account of its own.</p>
<ul class="links">${[undefined, ...names].map((name) => html`<li>${link(name)}</li>`)}</ul>
<p class="actions"><button type="button" popovertarget="accounts" popovertargetaction="hide" autofocus>Close</button></p></div>`;
}
