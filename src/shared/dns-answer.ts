/** The result of a look-up. For a name or record that does not exist, too: that is no failure. */
export type DnsAnswer =
  /** Values as text, at least one: `10 mx.example` for an MX, the joined strings of a TXT. */
  | (ResponseDetails & {
      readonly kind: 'found';
      readonly values: readonly string[];
    })
  /** No record of this type. `exists` is false if the name does not exist at all. */
  | (ResponseDetails & {
      readonly kind: 'none';
      readonly exists: boolean;
      /** The name servers that the server refers to, because it does not have this name itself. */
      readonly referral?: readonly string[];
    })
  /** No reliable result. The reason is a sentence about the last server asked. */
  | { readonly kind: 'failed'; readonly reason: string; readonly server?: string };

/** What a response says besides its records. Absent if no server gave it, as in the sandbox. */
interface ResponseDetails {
  /**
   * Seconds for which it may be cached (of its records, the shortest; for none, by RFC 2308, 5); absent if it
   * must not be.
   */
  readonly ttl?: number;
  /** Whether the server has the zone itself, so that nothing was cached. */
  readonly authoritative?: boolean;
  /** The server that responded: an address, with a port unless it is 53. */
  readonly server?: string;
}
