import juice from 'juice/client';

/**
 * Moves the CSS of `<style>` elements into `style` attributes, for mail programs that only read these. Media
 * queries and `:hover` stay in place. Comments, templates and entities do not change.
 */
export function inlineCss(html: string): string {
  return juice(html, { applyWidthAttributes: false, applyHeightAttributes: false });
}
