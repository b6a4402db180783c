import { type ShellSystem, setToPath } from '../../text/shell-quote.ts';

/** What stands in the way of a safe connection, in plain words. */
export interface TlsFailure {
  /** The subject of the sentence: the certificate, or the host that is connected to. */
  readonly subject: 'certificate' | 'host';
  /** The rest of that sentence, without a full stop. */
  readonly predicate: string;
  /** What to do about it, without a full stop; undefined where that depends. */
  readonly remedy?: string;
}

/** What a code of Node or OpenSSL stands for; undefined for those that have no words of their own. */
export function tlsFailure(code: string, system: ShellSystem): TlsFailure | undefined {
  const trusting = (name: string) => setToPath('NODE_EXTRA_CA_CERTS', `path/to/${name}`, system);
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        subject: 'certificate',
        predicate: 'is self-signed',
        remedy: `If you trust it: ${trusting('certificate.pem')}`,
      };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return {
        subject: 'certificate',
        predicate: 'is from an authority that Node does not trust',
        remedy: `If it is your company's: ${trusting('company-ca.pem')}. Otherwise, the service may not send its intermediate certificates`,
      };
    case 'CERT_HAS_EXPIRED':
      return { subject: 'certificate', predicate: 'has expired' };
    case 'CERT_NOT_YET_VALID':
      return { subject: 'certificate', predicate: 'is not valid yet' };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { subject: 'certificate', predicate: 'is for another name' };
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'ERR_SSL_HTTP_REQUEST':
      return {
        subject: 'host',
        predicate: 'does not speak TLS on this port',
        remedy: 'Check the port in the base URL, or whether the service there is plain http',
      };
    default:
      return undefined;
  }
}
