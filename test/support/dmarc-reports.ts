import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

/** Reports in the shapes that receivers send. */
export const receivers = ['google', 'yahoo', 'outlook', 'fastmail', 'mailru', 'rfc9990'] as const;

/** The text of a report of a receiver, about mail from example.com. */
export function reportOf(receiver: (typeof receivers)[number]): string {
  const path = new URL(`../commands/dmarc/fixtures/${receiver}.xml`, import.meta.url);
  return readFileSync(fileURLToPath(path), 'utf8');
}

interface Made {
  readonly org?: string;
  readonly id?: string;
  readonly domain?: string;
  /** A date in UTC. */
  readonly day?: string;
  readonly records?: string;
}

/** A report; each has an id of its own. */
export function makeReport(made: Made = {}): string {
  const {
    org = 'r.example',
    id = String(++ids),
    domain = 'example.com',
    day = '2026-01-01',
  } = made;
  const begin = Date.parse(`${day}T00:00:00Z`) / 1000;
  return `<feedback><report_metadata><org_name>${org}</org_name><report_id>${id}</report_id><date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata><policy_published><domain>${domain}</domain><p>none</p></policy_published>${made.records ?? makeRecord()}</feedback>`;
}

let ids = 0;

interface MadeRecord {
  readonly ip?: string;
  readonly count?: number | string;
  readonly dkim?: string;
  readonly spf?: string;
  readonly disposition?: string;
  readonly from?: string;
  readonly reason?: string;
  /** The elements of `auth_results`. */
  readonly results?: string;
}

/** A record of a report. Everything passes unless given otherwise. */
export function makeRecord(made: MadeRecord = {}): string {
  const { ip = '192.0.2.1', count = 1, dkim = 'pass', spf = 'pass', disposition = 'none' } = made;
  const reason = made.reason === undefined ? '' : `<reason><type>${made.reason}</type></reason>`;
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf>${reason}</policy_evaluated></row><identifiers><header_from>${made.from ?? 'example.com'}</header_from></identifiers><auth_results>${made.results ?? ''}</auth_results></record>`;
}

/** The result of a DKIM signature. */
export function signed(domain: string, selector: string, result = 'pass'): string {
  return `<dkim><domain>${domain}</domain><selector>${selector}</selector><result>${result}</result></dkim>`;
}

/** The result of SPF. */
export function spf(domain: string, result = 'pass'): string {
  return `<spf><domain>${domain}</domain><result>${result}</result></spf>`;
}

type ZipFile = readonly [name: string, content: string | Uint8Array, packed?: Uint8Array];

/** A ZIP archive of files by name. What is `packed` may be something else than the content. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content, other] of files) {
    const bytes = Buffer.from(content);
    const packed = Buffer.from(other ?? deflateRawSync(bytes));
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name));
    const entry = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed];
    local.push(...entry);
    offset += entry.reduce((sum, { length }) => sum + length, 0);
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end]);
}

/** A message with one file attached. */
export function messageWith(name: string, type: string, content: Uint8Array): string {
  return [
    'From: reports@receiver.example',
    'Subject: Report domain: example.com',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    'This is a report.',
    '--part',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--part--',
    '',
  ].join('\n');
}

/** The line before a message in a mailbox. */
export const mailboxLine = 'From reports@receiver.example Thu Jan  1 10:00:00 2026\n';
