import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { UnavailableError } from '../../errors.ts';
import { visible } from '../../text/visible.ts';

const variable = 'SSL_CERT_FILE';

/**
 * Trusts the authorities of SSL_CERT_FILE in place of Node's, and those of NODE_EXTRA_CA_CERTS as well, for the whole
 * process: what curl, OpenSSL and Go do. Throws an `UnavailableError` if the file has no certificates.
 */
export function trustCertificateFile(path: string): void {
  try {
    const pem = readFileSync(path, 'latin1');
    if (!pem.includes('-----BEGIN ')) throw new Error('It has no certificates.');
    setDefaultCACertificates([pem, ...getCACertificates('extra')]);
  } catch (cause) {
    throw new UnavailableError(`${variable} names ${visible(path)}, which has no certificates.`, {
      hint: `Correct ${variable}, or use Node's authorities: unset ${variable}`,
      cause,
    });
  }
}
