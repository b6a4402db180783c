import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { parseAddress } from '../../../shared/ip-address.ts';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Days that a certificate is valid; some clients accept no more than 825. */
const lifetime = 800;
const day = 24 * 3_600_000;

/**
 * Makes a key and a self-signed certificate for these host names and IP addresses, in DER (X.690) by RFC
 * 5280: Node creates keys and signatures, but no certificates. A client that trusts the certificate can
 * verify the server. `now` is in milliseconds since 1970.
 */
export function makeCertificate(hosts: readonly string[], now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(oid.ecdsaWithSha256);
  const name = sequence(set(sequence(oid.commonName, tagged(0x0c, Buffer.from('mailer sandbox')))));
  const keyId = createHash('sha1').update(publicInfo).digest();
  const body = sequence(
    // Version 3.
    tagged(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    // A positive serial number, whatever its random part.
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(now - day), time(now + lifetime * day)),
    name,
    publicInfo,
    tagged(
      0xa3,
      sequence(
        extension(oid.subjectAltName, sequence(...hosts.map(generalName))),
        // Not a certificate authority: a client that trusts it trusts only this server.
        extension(oid.basicConstraints, sequence(), critical),
        extension(oid.keyUsage, tagged(0x03, digitalSignature), critical),
        extension(oid.subjectKeyIdentifier, tagged(0x04, keyId)),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const base64 = sequence(body, algorithm, bits).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Object identifiers, encoded. */
const oid = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
  keyUsage: Buffer.from('0603551d0f', 'hex'),
  subjectKeyIdentifier: Buffer.from('0603551d0e', 'hex'),
};

const critical = Buffer.from([0x01, 0x01, 0xff]);
const digitalSignature = Buffer.from([0x07, 0x80]);

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const digits = Buffer.from([length >> 8, length & 0xff]);
  const long = length < 256 ? [0x81, length] : [0x82, ...digits];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return tagged(0x31, part);
}

function extension(id: Buffer, value: Buffer, flag: Buffer = Buffer.alloc(0)): Buffer {
  return sequence(id, flag, tagged(0x04, value));
}

/** UTCTime, such as `260101000000Z`, which is valid until 2049. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/^..|\.\d+|[-:T]/g, '');
  return tagged(0x17, Buffer.from(digits));
}

/** A DNS name or an IP address. */
function generalName(host: string): Buffer {
  const octets = parseAddress(host.replace(/%.*/, ''));
  return octets === undefined ? tagged(0x82, Buffer.from(host)) : tagged(0x87, Buffer.from(octets));
}
