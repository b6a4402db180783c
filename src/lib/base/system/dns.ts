import type { DnsAnswer } from '../../../shared/dns-answer.ts';

export type DnsType = 'MX' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'A' | 'AAAA' | 'PTR';

/** Looks up names at certain DNS servers. */
export interface Dns {
  /** Addresses, with a port unless it is 53. */
  readonly servers: readonly string[];
  /** Asks the servers in turn. `name` has no final dot. Throws only the reason of an abort. */
  lookUp(name: string, type: DnsType): Promise<DnsAnswer>;
}

export interface DnsOptions {
  /** Addresses, with or without a port. Default: those the machine uses. */
  readonly servers?: readonly string[] | undefined;
  /** Milliseconds for each server to respond. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}
