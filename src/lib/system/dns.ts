export type DnsType = 'MX' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'A' | 'AAAA';

/** What a look-up led to. A name or record that is not there is an answer, not a failure. */
export type DnsAnswer =
  /** Values as text: `10 mx.example` of an MX, the joined strings of a TXT. There is at least one. */
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** No record of this type; `exists` is false when there is nothing at all of this name. */
  | { readonly kind: 'none'; readonly exists: boolean }
  /** No answer that could be relied on; the reason is a sentence about the last server asked. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Looks names up at certain DNS servers. */
export interface Dns {
  /** Addresses, with a port where it is not 53. */
  readonly servers: readonly string[];
  /**
   * Asks the servers one after the other until one of them knows. `name` has no dot at its end.
   * Throws the signal's reason once that is aborted, and nothing else.
   */
  lookUp(name: string, type: DnsType): Promise<DnsAnswer>;
}

export interface DnsOptions {
  /** Addresses, with or without port; those the machine uses when absent. */
  readonly servers?: readonly string[] | undefined;
  /** Milliseconds for each server to answer in. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}
