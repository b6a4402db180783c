/** Why there is no safe connection to a host, as the end of a sentence, and what to do about it. */
export interface TlsFailure {
  readonly reason: string;
  readonly hint: string;
}

const more = 'mailer doctor shows more of it.';

/** What a code of Node or OpenSSL says in plain words; undefined where `text` has to do. */
export function tlsFailure(code: string, text: string): TlsFailure | undefined {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        reason: 'its certificate is signed by itself, so nobody vouches for it',
        hint: `If you trust it: export NODE_EXTRA_CA_CERTS=/path/to/certificate.pem. ${more}`,
      };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return {
        reason: 'its certificate is by an authority that Node does not know',
        hint: `If it is your company's: export NODE_EXTRA_CA_CERTS=/path/to/company-ca.pem. ${more}`,
      };
    case 'CERT_HAS_EXPIRED':
      return { reason: 'its certificate has expired', hint: more };
    case 'CERT_NOT_YET_VALID':
      return { reason: 'its certificate is not valid yet', hint: more };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { reason: 'its certificate is for another name', hint: more };
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'ERR_SSL_HTTP_REQUEST':
      return { reason: 'it does not speak TLS on this port', hint: 'Check the base URL.' };
    default:
      return /CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code)
        ? { reason: text.trim().replace(/\.$/, ''), hint: more }
        : undefined;
  }
}
