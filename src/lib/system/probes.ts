/** Why a link failed; `code` as in Node, such as `ENOTFOUND`, `ETIMEDOUT` for time. */
export interface ProbeFailure {
  readonly code: string;
  readonly message: string;
}

type LookUp =
  /** There is at least one. */
  { readonly addresses: readonly string[] } | { readonly failure: ProbeFailure };

/** How far it got on the way to a TLS handshake. */
export type TlsProbe =
  /** No connection, to the proxy where there is one. */
  | { readonly stage: 'connect'; readonly failure: ProbeFailure }
  /** The proxy opens no tunnel; the HTTP status of its response. */
  | { readonly stage: 'tunnel'; readonly status: number }
  | { readonly stage: 'handshake'; readonly failure: ProbeFailure }
  | { readonly stage: 'done'; readonly handshake: Handshake };

/** What a server showed of itself, trusted or not. */
export interface Handshake {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** Organisation, else common name; empty when the certificate has neither. */
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Names and addresses the certificate is for. */
  readonly names: readonly string[];
  /** Why it is not trusted, as Node and OpenSSL have it, such as `CERT_HAS_EXPIRED`. */
  readonly problem: string | undefined;
}

/** Tries single links to a service. Failures and time-outs are results; other aborts are thrown. */
export interface Probes {
  /** Looks a name up as connections do: this machine's own, hosts file, resolver of the system. */
  lookUp(host: string, signal: AbortSignal): Promise<LookUp>;
  /** Opens a connection and closes it. */
  reach(url: URL, signal: AbortSignal): Promise<ProbeFailure | undefined>;
  /** Shakes hands with the host of `target`, through a tunnel of a proxy if given, and hangs up. */
  shakeHands(target: URL, proxy: URL | undefined, signal: AbortSignal): Promise<TlsProbe>;
}
