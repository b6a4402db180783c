export type DnsType = 'MX' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'A' | 'AAAA';

/** The result of a look-up. For a name or record that does not exist, too: that is no failure. */
export type DnsAnswer =
  /** Values as text, at least one: `10 mx.example` for an MX, the joined strings of a TXT. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** No record of this type. `exists` is false if the name does not exist at all. */
  | { readonly kind: 'none'; readonly exists: boolean }
  /** No reliable result. The reason is a sentence about the last server asked. */
  | { readonly kind: 'failed'; readonly reason: string };

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
