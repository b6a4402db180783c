import { escapeHtml } from '../../../shared/merge.ts';
import { hasRemoteImages } from '../../../shared/remote-images.ts';
import { imagesPage } from '../../base/system/system.ts';
import type { Context } from '../../command-line/command/context.ts';

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
  const areRemote = emails.some(({ html }) => html && hasRemoteImages(html));
  const page = await context.system.openPage({
    html: emailPage(emails, title, areRemote ? 'blocked' : 'none'),
    withImages: areRemote ? emailPage(emails, title, 'loaded') : undefined,
  });
  context.notes.say(`Opened ${page}`);
}

/** A page with emails that loads nothing unless remote images are, so that no open is tracked; HTML is in a frame without scripts. */
function emailPage(
  emails: readonly PageEmail[],
  title: string,
  remoteImages: 'none' | 'blocked' | 'loaded',
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(remoteImages === 'loaded')}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${remoteImages === 'blocked' ? blocked : ''}${emails.map(section).join('\n')}
</body>
</html>
`;
}

function section({ html, text, subject, from, to }: PageEmail): string {
  const content = html
    ? `<iframe sandbox="" srcdoc="${escapeHtml(html)}"></iframe>`
    : `<pre>${escapeHtml(text ?? '')}</pre>`;
  return `<section>
<header>
<h1>${escapeHtml(subject ?? '')}</h1>
${from === undefined && to === undefined ? '' : `<p>From ${escapeHtml(from ?? '')}<br>To ${escapeHtml([to ?? []].flat().join(', '))}</p>`}
</header>
${content}
</section>`;
}

function policy(loadsImages: boolean): string {
  const images = loadsImages ? 'data: https: http:' : 'data:';
  return `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; frame-src 'self'`;
}

const blocked = `<p class="note">Remote images are blocked, because their servers would see that this was opened.
<a href="${imagesPage}">Load them</a></p>
`;

const style = [
  'html { color-scheme: light dark; font-family: system-ui, sans-serif }',
  'body { margin: 0 }',
  'section { display: flex; flex-direction: column; height: 100vh }',
  'header { padding: 0 1rem; border-bottom: 1px solid }',
  '.note { margin: 0; padding: 0.5rem 1rem; font-size: 0.9rem }',
  'h1 { font-size: 1.2rem }',
  'iframe { flex: 1; border: 0; background: white; color-scheme: light }',
  'pre { padding: 0 1rem; white-space: pre-wrap }',
].join(' ');
