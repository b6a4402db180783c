import { isAligned } from './alignment.ts';
import { type Ask, plainName } from './ask.ts';
import { isDmarc } from './dmarc-record.ts';

/** Whether reports about a domain may be sent to an address of its DMARC record. */
export interface ReportPermission {
  /** The domain that receives the reports; undefined for a URI that names none. */
  readonly host: string | undefined;
  /**
   * `own`: the same organization. `permitted` and `missing`: another one, which does or does not publish the record
   * that permits it. `unknown`: DNS gave no answer. `unsupported`: no address that receivers have to support.
   */
  readonly state: 'own' | 'permitted' | 'missing' | 'unknown' | 'unsupported';
  /** The name of the record that permits it, if one is needed. */
  readonly record?: string;
}

/**
 * Asks whether the receiver of reports permits them (RFC 9990, 4). `domain` is where the DMARC record is published,
 * without `_dmarc.`; `address` is the URI, as in `rua`.
 */
export async function reportPermission(
  domain: string,
  address: string,
  ask: Ask,
): Promise<ReportPermission> {
  const [, mailbox = ''] = /^mailto:([^?]*)/i.exec(address) ?? [];
  const at = mailbox.lastIndexOf('@');
  if (at === -1) return { host: undefined, state: 'unsupported' };
  const host = plainName(mailbox.slice(at + 1));
  const aligned = await isAligned(domain, host, { strict: false }, ask);
  if (aligned !== false) return { host, state: aligned ? 'own' : 'unknown' };
  const record = `${plainName(domain)}._report._dmarc.${host}`;
  const answer = await ask(record, 'TXT');
  if (answer.kind === 'failed') return { host, record, state: 'unknown' };
  const permitted = answer.kind === 'found' && answer.values.some(isDmarc);
  return { host, record, state: permitted ? 'permitted' : 'missing' };
}
