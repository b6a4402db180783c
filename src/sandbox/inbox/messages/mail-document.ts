/**
 * The HTML of a message may use its own styles and embedded images. It cannot run scripts, use the network,
 * send forms or leave its frame; links open new tabs. The same holds without a frame. Only with
 * `remoteImages` may it load images from other servers. Requests of the message to this server are rejected,
 * because a sandboxed page belongs to no site.
 */
function policy(remoteImages: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${remoteImages ? ' https: http:' : ''}`,
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** The same, for the `sandbox` attribute of its frame. */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox';

/** Headers of the HTML of a message. */
export function mailHeaders(remoteImages: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': policy(remoteImages),
    // The policy does not prevent DNS lookups of links.
    'X-DNS-Prefetch-Control': 'off',
    // Browsers reject a sandboxed page with any other value.
    'Cross-Origin-Opener-Policy': 'unsafe-none',
  };
}

/** The page in the frame of a message. Links of the account begin with `origin`. */
export function mailDocument(
  html: string,
  { emailId, origin }: { readonly emailId: string; readonly origin: string },
): string {
  return `<!doctype html><base target="_blank">${withoutConnections(unsubscribable(html, emailId, origin))}`;
}

/**
 * Browsers connect to the server of a frame or a `link` before they check the policy, which reveals
 * that the message is read. Elements that do nothing replace them.
 */
const inert: Readonly<Record<string, string>> = {
  // Parsed like `link`: without an end tag, and in the head.
  link: 'bgsound',
  iframe: 'x-frame',
  frame: 'x-frame',
};

function withoutConnections(html: string): string {
  return html.replace(
    /<(link|iframe|frame)(?=[\s/>])/gi,
    (_, name: string) => `<${inert[name.toLowerCase()]}`,
  );
}

/**
 * Points the unsubscribe links of this email to this server, even if there was no server, or
 * another port, when it was sent.
 */
export function unsubscribable(content: string, emailId: string, origin: string): string {
  return content.replace(
    /https?:\/\/[\w.:[\]-]+(?:\/accounts\/[\w-]+)?\/unsubscribe\/(\w+)/g,
    (link, id) => (id === emailId ? `${origin}/unsubscribe/${emailId}` : link),
  );
}
