import { attempt } from '../../../shared/attempt.ts';

export interface SmtpUrl {
  /** For nodemailer. Includes the password, so it must not be shown. */
  readonly url: string;
  /** Host and port, for people. */
  readonly name: string;
  readonly loopback: boolean;
  /** Whether to log in over encrypted connections only. */
  readonly requireTls: boolean;
  /** Hides the login in a server's response. */
  readonly hideLogin: (text: string) => string;
}

/** Parameters of nodemailer that would print all traffic, including the password. */
const talkative = ['logger', 'debug', 'transactionLog', 'component'];

/** Parameters of nodemailer about encryption. */
const aboutTls = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`, with nodemailer's parameters. Undefined for
 * other texts.
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

const hidden = '(hidden)';

/** Some servers repeat an unknown command: the password, also as sent by AUTH PLAIN and AUTH LOGIN. */
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

/** Without padding, which some servers do not repeat. */
function base64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}

/** A decoded part of a URL; unchanged if it is not encoded correctly. */
function decoded(part: string): string {
  return attempt(() => decodeURIComponent(part), part);
}
