import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { cannotBeWritten, isFileError } from '../lib/base/files/file-errors.ts';
import { makeDirectories } from '../lib/base/files/make-directories.ts';
import { readRegular } from '../lib/base/files/regular-file.ts';
import { replaceFile } from '../lib/base/files/replace-file.ts';
import { type Certificate, makeCertificate } from '../sandbox/mail/receive/certificate.ts';

/** The file with the certificate of the SMTP server, for clients that verify it. */
export function certificatePath(directory: string): string {
  return join(directory, 'smtp-certificate.pem');
}

function keyPath(directory: string): string {
  return join(directory, 'smtp-key.pem');
}

/** A certificate is replaced this many days before it expires. */
const renewal = 30;

/**
 * The certificate of the sandbox's SMTP server for these hosts. It is kept in `directory`, so that a client
 * can be told to trust it; its key is in a separate file that only the user can read. `now` is in
 * milliseconds since 1970. Throws a `UsageError` if the files cannot be written.
 */
export async function smtpCertificate(
  directory: string,
  hosts: readonly string[],
  now: number,
): Promise<Certificate> {
  const kept = readKept(directory);
  if (kept !== undefined && isGood(kept, hosts, now)) return kept;
  const made = makeCertificate(hosts, now);
  try {
    makeDirectories(directory);
    // Files of two processes may get mixed. The next start notices that and makes new ones.
    await replaceFile(keyPath(directory), made.key);
    await replaceFile(certificatePath(directory), made.cert);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw cannotBeWritten(directory, error);
  }
  return made;
}

function readKept(directory: string): Certificate | undefined {
  try {
    return {
      cert: readRegular(certificatePath(directory)),
      key: readRegular(keyPath(directory)),
    };
  } catch {
    return undefined;
  }
}

function isGood({ cert, key }: Certificate, hosts: readonly string[], now: number): boolean {
  try {
    const certificate = new X509Certificate(cert);
    const end = Date.parse(certificate.validTo) - renewal * 24 * 3_600_000;
    const names = (host: string) => certificate.checkHost(host) ?? certificate.checkIP(host);
    return (
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(certificate.validFrom) <= now &&
      now < end &&
      hosts.every((host) => names(host) !== undefined)
    );
  } catch {
    return false;
  }
}
