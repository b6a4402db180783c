import type { DnsRecord, Domain } from '../../../api/domain.ts';
import {
  type RecordResult,
  record,
  section,
  status,
  time,
} from '../../command-line/output/result.ts';
import { recordColumns } from './record-columns.ts';

/** A domain as a record, with the DNS records to publish. */
export function showDomain(domain: Domain): RecordResult {
  const { errorMessage, verificationError } = domain;
  return record({
    reply: domain,
    quiet: String(domain.id),
    rows: [
      ['id', 'Id', domain.id],
      ['name', 'Name', domain.name],
      ['status', 'Status', status(domain.status)],
      ['isVerifying', 'Being verified', domain.isVerifying],
      ['errorMessage', 'Error', errorMessage],
      [
        'verificationError',
        'Verification error',
        verificationError === errorMessage ? undefined : verificationError,
      ],
      ['dkimStatus', 'DKIM', status(domain.dkimStatus)],
      ['spfDetails', 'SPF', status(domain.spfDetails)],
      ['dmarcAdded', 'DMARC', domain.dmarcAdded],
      ['region', 'Region', domain.region],
      ['clickTracking', 'Click tracking', domain.clickTracking],
      ['openTracking', 'Open tracking', domain.openTracking],
      ['lastCheckedTime', 'Last checked', time(domain.lastCheckedTime)],
      ['createdAt', 'Created', time(domain.createdAt)],
      ['updatedAt', 'Updated', time(domain.updatedAt)],
    ],
    sections: [
      section<DnsRecord>({
        title: 'DNS records',
        field: 'dnsRecords',
        stacked: true,
        columns: recordColumns,
        rows: domain.dnsRecords,
        empty: 'There are none.',
      }),
    ],
  });
}
