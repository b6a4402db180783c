import type { Domain } from '../../../api/domain.ts';
import { dnsName, registeredName } from '../dns/dns-names.ts';
import { type WantedRecord, wantedRecords } from '../dns/wanted-records.ts';

/** A DKIM key that signs the mail: `selector._domainkey.domain`. */
export interface Selector {
  readonly selector: string;
  /** `d=` of the signatures. */
  readonly domain: string;
}

/** What is known about the mail from a domain. */
export interface Subject {
  /** As DNS compares it. */
  readonly domain: string;
  /** The domain in the header From. */
  readonly from: string;
  /** The domain of the return path, whose SPF counts; undefined if unknown. */
  readonly mailFrom: string | undefined;
  /** Empty if unknown. */
  readonly selectors: readonly Selector[];
  /** The records that the service requires; undefined for a domain that is not of the account. */
  readonly account:
    | { readonly wanted: readonly WantedRecord[]; readonly registered: string }
    | undefined;
}

/** What flags tell about the mail. */
export interface MailFlags {
  /** The domain of `--from`. */
  readonly from?: string | undefined;
  readonly selectors?: readonly string[] | undefined;
}

/** The mail from a domain of the account, as its records show how the service sends it. */
export function subjectOf(name: string, domain: Domain | undefined, flags: MailFlags): Subject {
  const plain = dnsName(name);
  const from = flags.from ?? plain;
  const given = (flags.selectors ?? []).map((selector) => ({
    selector: dnsName(selector),
    domain: plain,
  }));
  if (domain === undefined || domain.dnsRecords.length === 0) {
    return { domain: plain, from, mailFrom: undefined, selectors: given, account: undefined };
  }
  const wanted = wantedRecords(domain);
  const keys = wanted.flatMap(({ fqdn }) => {
    const [, selector, signer] = /^(.+?)\._domainkey\.(.+)$/.exec(fqdn) ?? [];
    return selector === undefined || signer === undefined ? [] : [{ selector, domain: signer }];
  });
  // Bounces come back to the return path, so it is the name with the MX; its SPF is what counts.
  const path =
    wanted.find(({ type }) => type === 'MX') ?? wanted.find(({ value }) => /^v=spf1/i.test(value));
  return {
    domain: plain,
    from,
    mailFrom: path?.fqdn,
    selectors: [...keys, ...given],
    account: { wanted, registered: registeredName(domain) },
  };
}
