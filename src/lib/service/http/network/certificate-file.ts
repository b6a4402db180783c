import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { TransportError } from '../../../base/system/wire.ts';
import { visible } from '../../../base/text/visible.ts';

const variable = 'SSL_CERT_FILE';

/**
 * Trusts the authorities of SSL_CERT_FILE in place of the usual ones, and those of NODE_EXTRA_CA_CERTS as well, for the
 * whole process: what curl, OpenSSL and Go do. Throws a `TransportError` if the file has no certificates.
 */
export function trustCertificateFile(path: string, { bun }: NodeJS.ProcessVersions): void {
  try {
    const pem = readFileSync(path, 'latin1');
    const certificates = pem.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----.+?-----END \1-----/gs);
    if (certificates === null) throw new Error('It has no certificates.');
    // Bun reads the variable itself, and connects in silence if it cannot use the file.
    if (bun === undefined) setDefaultCACertificates([pem, ...getCACertificates('extra')]);
    else for (const one of certificates) new X509Certificate(one);
  } catch (cause) {
    throw new TransportError(`${variable} names ${visible(path)}, which has no certificates.`, {
      ...{ unsent: true, permanent: true, cause },
      hint: `Correct ${variable}, or unset it to trust the usual authorities.`,
    });
  }
}
