/**
 * What the HTML of a message may do: show itself, with the styles and pictures that are in it. Not
 * run, not ask the network for anything, not send a form, not leave its frame; links open tabs of
 * their own. As a page of its own, outside the frame, it may do no more.
 */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** The same for the frame that it is shown in. */
export const frameSandbox = 'allow-popups allow-popups-to-escape-sandbox';

/** Headers of the HTML of a message. */
export const mailHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  // The policy does not keep names from being looked up beforehand.
  'X-DNS-Prefetch-Control': 'off',
  // Browsers reject a sandboxed page that asks for a window of its own.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
};

/** The HTML of a message as the page that its frame shows. `origin` is where this server is. */
export function mailDocument(
  html: string,
  { emailId, origin }: { readonly emailId: string; readonly origin: string },
): string {
  return `<!doctype html><base target="_blank">${withoutConnections(unsubscribable(html, emailId, origin))}`;
}

/**
 * Browsers connect to where a frame or a `link` leads before they ask the policy, and so tell that
 * the message is being read. In their place stand elements that do nothing.
 */
const inert: Readonly<Record<string, string>> = {
  // Read as `link` is: without an end, and in the head.
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
 * The links by which the receiver of this email unsubscribes lead to this server, also when the
 * email was sent without one, or while it was at another port.
 */
export function unsubscribable(content: string, emailId: string, origin: string): string {
  return content.replace(/https?:\/\/[\w.:[\]-]+\/unsubscribe\/(\w+)/g, (link, id) =>
    id === emailId ? `${origin}/unsubscribe/${emailId}` : link,
  );
}
