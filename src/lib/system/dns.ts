export type DnsType = 'MX' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'A' | 'AAAA';

/** The result of a look-up. A name or record that does not exist is an answer, not a failure. */
export type DnsAnswer =
  /** Values as text: `10 mx.example` of an MX, the joined strings of a TXT. There is at least one. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** No record of this type; `exists` is false when there is nothing at all of this name. */
  | { readonly kind: 'none'; readonly exists: boolean }
  /** No reliable answer; the reason is a sentence about the last server asked. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Looks names up at certain DNS servers. */
export interface Dns {
  /** Addresses, with a port where it is not 53. */
  readonly servers: readonly string[];
  /** Asks the servers in turn; `name` has no final dot. Throws only the reason of an aborted signal. */
  lookUp(name: string, type: DnsType): Promise<DnsAnswer>;
}

export interface DnsOptions {
  /** Addresses, with or without port; those the machine uses when absent. */
  readonly servers?: readonly string[] | undefined;
  /** Milliseconds for each server to answer in. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}
