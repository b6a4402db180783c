import type { ProbeFailure } from './probes.ts';

/** What a server says of a page. */
export type PageAnswer =
  /** `location` is where a redirect leads. */
  | { readonly kind: 'answered'; readonly status: number; readonly location?: string | undefined }
  /** Nobody was asked: the page is at this address, which is not public. */
  | { readonly kind: 'private'; readonly address: string }
  | { readonly kind: 'failed'; readonly failure: ProbeFailure };

/**
 * Asks for pages of anybody, without credentials, at public addresses only. Follows no redirects, and reads no
 * content. Failures and time-outs are results; other aborts are thrown.
 */
export interface Pages {
  ask(method: 'HEAD' | 'GET', url: URL, signal: AbortSignal): Promise<PageAnswer>;
}
