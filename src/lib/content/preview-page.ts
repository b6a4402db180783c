import type { Context } from '../command/context.ts';

/** The parts of an email that a reader sees. */
type PageEmail = {
  readonly [field in 'html' | 'text' | 'subject' | 'from']?: string | null | undefined;
} & { readonly to?: string | readonly string[] | null | undefined };

/** Shown below every preview. */
export const previewNote = 'A preview: nothing was sent.';

/** Shows emails in the browser, and reports the path of the page. Throws like `System.openPage`. */
export async function openPreview(
  context: Context,
  emails: readonly PageEmail[],
  title: string,
): Promise<void> {
  const page = await context.system.openPage(emailPage(emails, title));
  context.notes.say(`Opened ${page}`);
}

/** A page with emails that loads nothing, so that no open is tracked; HTML is in a frame without scripts. */
function emailPage(emails: readonly PageEmail[], title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${emails.map(section).join('\n')}
</body>
</html>
`;
}

function section({ html, text, subject, from, to }: PageEmail): string {
  const content = html
    ? `<iframe sandbox="" srcdoc="${escaped(html)}"></iframe>`
    : `<pre>${escaped(text ?? '')}</pre>`;
  return `<section>
<header>
<h1>${escaped(subject ?? '')}</h1>
${from === undefined && to === undefined ? '' : `<p>From ${escaped(from ?? '')}<br>To ${escaped([to ?? []].flat().join(', '))}</p>`}
</header>
${content}
</section>`;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'";

const style = [
  'html { color-scheme: light dark; font-family: system-ui, sans-serif }',
  'body { margin: 0 }',
  'section { display: flex; flex-direction: column; height: 100vh }',
  'header { padding: 0 1rem; border-bottom: 1px solid }',
  'h1 { font-size: 1.2rem }',
  'iframe { flex: 1; border: 0; background: white; color-scheme: light }',
  'pre { padding: 0 1rem; white-space: pre-wrap }',
].join(' ');

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}
