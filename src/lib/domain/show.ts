import type { Domain } from '../../api/domain.ts';
import { type RecordResult, record, status, time } from '../output/result.ts';

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
      {
        title: 'DNS records',
        stacked: true,
        columns: ['Type', 'Name', 'Value', 'Priority', 'TTL', 'Status', 'Needed'].map((header) => ({
          header,
        })),
        rows: domain.dnsRecords.map((one) => [
          one.type,
          one.name,
          one.value,
          one.priority,
          one.ttl,
          status(one.status),
          one.recommended === true ? 'recommended' : 'required',
        ]),
        empty: 'There are none.',
      },
    ],
  });
}
