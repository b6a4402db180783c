/** An SMTP server as a URL names it. */
export interface SmtpUrl {
  /** For nodemailer; holds the password, so it is shown to nobody. */
  readonly url: string;
  /** Host and port, to be shown. */
  readonly name: string;
  readonly loopback: boolean;
}

/** Parameters of nodemailer that would print what is sent, the password included. */
const talkative = ['logger', 'debug', 'transactionLog', 'component'];

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`, with parameters as nodemailer has them.
 * Undefined for what is none.
 */
export function readSmtpUrl(text: string): SmtpUrl | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  for (const name of talkative) url.searchParams.delete(name);
  const port = url.port || (url.protocol === 'smtps:' ? '465' : '587');
  return {
    url: url.href,
    name: `${url.hostname}:${port}`,
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname),
  };
}
