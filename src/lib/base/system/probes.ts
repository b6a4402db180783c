/** Why a step failed. `code` is Node's, such as `ENOTFOUND`, or `ETIMEDOUT` for a timeout. */
export interface ProbeFailure {
  readonly code: string;
  readonly message: string;
}

type LookUp =
  /** At least one. */
  { readonly addresses: readonly string[] } | { readonly failure: ProbeFailure };

/** How far a TLS handshake got. */
export type TlsProbe =
  /** No connection; through a proxy, no connection to the proxy. */
  | { readonly stage: 'connect'; readonly failure: ProbeFailure }
  /** The proxy opened no tunnel. This is the HTTP status of its response. */
  | { readonly stage: 'tunnel'; readonly status: number }
  | { readonly stage: 'handshake'; readonly failure: ProbeFailure }
  | { readonly stage: 'done'; readonly handshake: Handshake };

/** What a server's handshake showed, trusted or not. */
export interface Handshake {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** Organisation, else common name; empty if the certificate has neither. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Names and addresses that the certificate covers. */
  readonly names: readonly string[];
  /** Why it is not trusted, as a code of Node or OpenSSL, such as `CERT_HAS_EXPIRED`. */
  readonly problem: string | undefined;
}

/**
 * Tries single steps of a connection to a service. Failures and timeouts are results; other aborts
 * are thrown.
 */
export interface Probes {
  /**
   * Looks up a name as connections do: the machine's own names, the hosts file, the system's
   * resolver.
   */
  lookUp(host: string, signal: AbortSignal): Promise<LookUp>;
  /** Opens a connection and closes it. */
  reach(url: URL, signal: AbortSignal): Promise<ProbeFailure | undefined>;
  /**
   * Makes a TLS handshake with the host of `target`, through a proxy's tunnel if given, and
   * disconnects.
   */
  shakeHands(target: URL, proxy: URL | undefined, signal: AbortSignal): Promise<TlsProbe>;
}
