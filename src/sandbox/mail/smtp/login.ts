/** What stands in the place of a password. */
const hidden = '(hidden)';

/**
 * Returns what hides a login in the words of a server, some of which repeat a command that they do
 * not know: the password as it is, and as AUTH PLAIN and AUTH LOGIN send it.
 */
export function loginHider(user: string, password: string): (text: string) => string {
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

/** A part of a URL as it is meant; as it is written where that is not to be decoded. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
