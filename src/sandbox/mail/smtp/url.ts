/** An SMTP server as a URL names it. */
export interface SmtpUrl {
  /** For nodemailer; has the password, so it is never shown. */
  readonly url: string;
  /** Host and port, to be shown. */
  readonly name: string;
  readonly loopback: boolean;
  /** Whether to end the connection rather than log in over one that is not encrypted. */
  readonly requireTls: boolean;
  /** Puts something in the place of the login in what a server says: some repeat it. */
  readonly hideLogin: (text: string) => string;
}

/** Parameters of nodemailer that would print what is sent, the password included. */
const talkative = ['logger', 'debug', 'transactionLog', 'component'];

/** Parameters of nodemailer about encryption. */
const aboutTls = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`, with parameters as nodemailer has them.
 * Undefined for what is none.
 */
export function readSmtpUrl(text: string): SmtpUrl | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  for (const name of talkative) url.searchParams.delete(name);
  const port = url.port || (url.protocol === 'smtps:' ? '465' : '587');
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname);
  const hasLogin = url.username !== '' || url.password !== '';
  const isDecided = aboutTls.some((name) => url.searchParams.has(name));
  return {
    url: url.href,
    name: `${url.hostname}:${port}`,
    loopback,
    requireTls: hasLogin && !loopback && !isDecided && url.protocol === 'smtp:',
    hideLogin: loginHider(decoded(url.username), decoded(url.password)),
  };
}

/** The replacement of a password. */
const hidden = '(hidden)';

/**
 * Returns a function that hides the login in a server's response, because some repeat an unknown
 * command: the password itself, and as AUTH PLAIN and AUTH LOGIN send it.
 */
function loginHider(user: string, password: string): (text: string) => string {
  if (password === '') return (text) => text;
  const secrets = [
    base64(`\0${user}\0${password}`),
    base64(`${user}\0${user}\0${password}`),
    base64(password),
    password,
  ];
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text);
}

/** Without the padding, which not everybody repeats. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}

/** A part of a URL as it is meant; as written where that is not to be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
