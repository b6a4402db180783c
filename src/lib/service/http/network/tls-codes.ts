/** Whether an error code, of Node or OpenSSL, is about TLS. */
export function isTlsCode(code: string): boolean {
  return /CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code);
}

/**
 * The error of a server that sends something before a handshake begins, which no server with TLS does. Bun
 * loses these bytes if they come with a proxy's response to CONNECT, and would wait for others.
 */
export function speaksFirst(): Error {
  return Object.assign(new Error('wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
}
