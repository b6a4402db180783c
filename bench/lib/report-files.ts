import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** Writes DMARC reports of six receivers for days in a row, with 1 to 24 records each: gzip, and each fourth is ZIP. */
export function writeReports(path: string, count: number): void {
  mkdirSync(path);
  for (let index = 0; index < count; index++) {
    const name = `receiver${index % 6}.example!example.com!${index}.xml`;
    const report = Buffer.from(reportNumber(index));
    const isZip = index % 4 === 0;
    writeFileSync(
      join(path, isZip ? `${name}.zip` : `${name}.gz`),
      isZip ? zipOf(name, report) : gzipSync(report),
    );
  }
}

/** Writes a mailbox with so many reports, and as many letters of 2 MB. */
export function writeMailbox(path: string, count: number): void {
  writeFileSync(path, '');
  const letter = message('photo.jpg', 'image/jpeg', Buffer.alloc(1_500_000, 'photo'));
  for (let index = 0; index < count; index++) {
    const report = message('r.xml.gz', 'application/gzip', gzipSync(reportNumber(index)));
    appendFileSync(path, `${letter}\n${report}\n`);
  }
}

function message(name: string, type: string, content: Buffer): string {
  const base64 = content.toString('base64').replace(/.{76}/g, '$&\n');
  return [
    'From reports@receiver.example Thu Jan  1 10:00:00 2026',
    'From: reports@receiver.example',
    'Subject: Report domain: example.com',
    'MIME-Version: 1.0',
    `Content-Type: ${type}; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64,
    '',
  ].join('\n');
}

function reportNumber(index: number): string {
  const begin = Date.UTC(2025, 0, 1 + Math.floor(index / 6)) / 1000;
  const records = Array.from({ length: 1 + ((index * 7) % 24) }, (_, row) => record(index, row));
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>receiver${index % 6}.example</org_name>
    <email>dmarc@receiver${index % 6}.example</email>
    <report_id>${index}</report_id>
    <date_range>
      <begin>${begin}</begin>
      <end>${begin + 86_399}</end>
    </date_range>
  </report_metadata>
  <policy_published>
    <domain>example.com</domain>
    <adkim>r</adkim>
    <aspf>r</aspf>
    <p>none</p>
  </policy_published>
${records.join('')}</feedback>
`;
}

function record(index: number, row: number): string {
  const result = (index + row) % 40 === 0 ? 'fail' : 'pass';
  return `  <record>
    <row>
      <source_ip>192.0.2.${(index + row * 5) % 200}</source_ip>
      <count>${1 + ((index * row) % 300)}</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>${result}</dkim>
        <spf>${result}</spf>
      </policy_evaluated>
    </row>
    <identifiers>
      <header_from>example.com</header_from>
      <envelope_from>mail.example.com</envelope_from>
    </identifiers>
    <auth_results>
      <dkim>
        <domain>example.com</domain>
        <selector>s1</selector>
        <result>${result}</result>
      </dkim>
      <dkim>
        <domain>relay.example</domain>
        <selector>r1</selector>
        <result>pass</result>
      </dkim>
      <spf>
        <domain>mail.example.com</domain>
        <result>${result}</result>
      </spf>
    </auth_results>
  </record>
`;
}

/** A ZIP archive with one file. */
function zipOf(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from(`PK\x03\x04`), fields, Buffer.from(name), packed]);
  const entry = [Buffer.from('PK\x01\x02\x14\0'), fields, Buffer.alloc(14), Buffer.from(name)];
  const directory = Buffer.concat(entry);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, directory, Buffer.from('PK\x05\x06'), end]);
}
