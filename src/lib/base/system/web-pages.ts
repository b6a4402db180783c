import type { ProbeFailure } from './probes.ts';

/** A server's response about a page. */
export type PageAnswer =
  /** `location` is the target of a redirect. */
  | { readonly kind: 'answered'; readonly status: number; readonly location?: string | undefined }
  /** Nothing was requested, because the page's address is not public. */
  | { readonly kind: 'private'; readonly address: string }
  | { readonly kind: 'failed'; readonly failure: ProbeFailure };

/**
 * Requests pages without credentials, at public addresses only. Does not follow redirects or read
 * content. Failures and timeouts are results; other aborts are thrown.
 */
export interface Pages {
  ask(method: 'HEAD' | 'GET', url: URL, signal: AbortSignal): Promise<PageAnswer>;
}
