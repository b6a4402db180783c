import { type ShellSystem, setToPath } from '../../../base/text/shell-quote.ts';

/** What prevents a secure connection, in plain words. */
export interface TlsFailure {
  /** The subject of the sentence: the certificate, or the host. */
  readonly subject: 'certificate' | 'host';
  /** The rest of that sentence, without a full stop. */
  readonly predicate: string;
  /** What to do about it, without a full stop; undefined if that depends. */
  readonly remedy?: string | undefined;
}

/**
 * A failure in words, by the code and text of Node or OpenSSL. Failures without words of their own
 * are named by their code.
 */
export function tlsFailure(code: string, text: string, system: ShellSystem): TlsFailure {
  const trusting = (name: string) => setToPath('NODE_EXTRA_CA_CERTS', `path/to/${name}`, system);
  const ofCertificate = (predicate: string, remedy?: string): TlsFailure => {
    return { subject: 'certificate', predicate, remedy };
  };
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return ofCertificate('is self-signed', `If you trust it: ${trusting('certificate.pem')}`);
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return ofCertificate(
        'is from an authority that Node does not trust',
        `If it is your company's: ${trusting('company-ca.pem')}. Otherwise, the service may not send its intermediate certificates`,
      );
    case 'CERT_HAS_EXPIRED':
      return ofCertificate('has expired');
    case 'CERT_NOT_YET_VALID':
      return ofCertificate('is not valid yet');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return ofCertificate('is for another name');
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'ERR_SSL_HTTP_REQUEST':
      return {
        subject: 'host',
        predicate: 'does not speak TLS on this port',
        remedy: 'Check the port in the base URL, or whether the service there is plain http',
      };
    default:
      return ofHandshake(code, text) ?? ofCertificate(`is not trusted (${code})`);
  }
}

/** Alerts and errors of OpenSSL; their names differ between its versions. */
const handshakes: readonly (readonly [name: RegExp, predicate: string])[] = [
  [
    /protocol.version|unsupported.protocol|version.too.low/i,
    'offers no TLS version that Node accepts',
  ],
  [
    /handshake.failure|shared.cipher|insufficient.security/i,
    'has no TLS version or cipher in common with Node',
  ],
  [/unrecognized.name/i, 'has no certificate for this name'],
  [/certificate.required/i, 'requires a client certificate, which mailer does not have'],
];

/** Why a handshake failed; undefined if it is about the certificate. */
function ofHandshake(code: string, text: string): TlsFailure | undefined {
  if (!/^(?:ERR_SSL_|EPROTO$)/.test(code)) return undefined;
  const name = opensslName(code, text);
  const predicate = handshakes.find(([one]) => one.test(name))?.[1] ?? 'ended the TLS handshake';
  return { subject: 'host', predicate: `${predicate} (${name})` };
}

/** The name of an OpenSSL error: its code, or if that says nothing, the reason in its text. */
export function opensslName(code: string, text: string): string {
  const [, reason] = /error:[\dA-F]+:[^:]*:[^:]*:([^:]+)/.exec(text) ?? [];
  return code === 'EPROTO' && reason !== undefined ? reason : code;
}
