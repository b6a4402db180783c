import type { Domain } from '../../../../api/domain.ts';
import { dnsName, registeredName } from '../dns/dns-names.ts';
import { wantedRecords } from '../dns/wanted-records.ts';

/** What is known about the mail from a domain. */
export type DomainMail = ReturnType<typeof mailOf>;

/** What flags tell about the mail. */
export interface MailFlags {
  /** The domain of `--from`. */
  readonly from?: string | undefined;
  readonly selectors?: readonly string[] | undefined;
}

/** The mail from a domain of the account, as its records show how the service sends it. */
export function mailOf(name: string, domain: Domain | undefined, flags: MailFlags) {
  /** As DNS compares it. */
  const plain = dnsName(name);
  /** The domain in the header From. */
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
    /** The domain of the return path, whose SPF counts; undefined if unknown. */
    mailFrom: path?.fqdn,
    /** DKIM keys that sign the mail, `selector._domainkey.domain`; `domain` is `d=` of the signatures. Empty if unknown. */
    selectors: [...keys, ...given],
    /** The records that the service requires; undefined for a domain that is not of the account. */
    account: { wanted, registered: registeredName(domain) },
  };
}
