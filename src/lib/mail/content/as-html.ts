import { escapeHtml } from '../../../shared/merge.ts';

/** Escapes a text for HTML in the same way as Liquid. */
export function asHtml(text: string): string {
  // Whatever was `&quot;` before has become `&amp;quot;`.
  return escapeHtml(text).replaceAll('&quot;', '&#34;');
}
