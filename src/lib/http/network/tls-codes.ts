/** Whether an error code, of Node or OpenSSL, is about TLS. */
export function isTlsCode(code: string): boolean {
  return /CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code);
}
