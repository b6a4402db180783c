/** Whether the code of a failure, of Node or OpenSSL, is one of TLS. */
export function isTlsCode(code: string): boolean {
  return /CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code);
}
