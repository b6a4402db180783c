import { html } from 'hono/html';
import { sandboxApiKey } from '../../model/account.ts';
import type { Html } from './layout.ts';

/** How to send a message here. `origin` is where this server is. */
export function firstSteps(origin: string, heading: Html): Html {
  const baseUrl = `${origin}/api`;
  const email = {
    from: 'Shop <shop@example.com>',
    to: 'ana@example.com',
    subject: 'Hello',
    text: 'It works.',
  };
  const curl = [
    `curl ${baseUrl}/v1/emails`,
    `-H 'Authorization: Bearer ${sandboxApiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(email, null, 2).replaceAll('\n', '\n  ')}'`,
  ].join(' \\\n  ');
  return html`<div class="empty">${heading}
<p>This is the local sandbox of an email delivery service. Nothing that is sent to it leaves this
machine by itself; it appears here.</p>
<dl class="facts"><dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>API key</dt><dd><code>${sandboxApiKey}</code></dd></dl>
<p>From a shell:</p>
<pre class="wrap">${curl}</pre>
<p class="muted small">What becomes of it, the address decides: <code>bounced@example.com</code>,
<code>complained@example.com</code>, <code>delayed@example.com</code>, <code>opened@example.com</code>;
all others are delivered.</p></div>`;
}
