import juice from 'juice/client';

/**
 * HTML with the CSS of its `<style>` elements in `style` attributes, for mail programs that read only
 * these. Media queries and `:hover` stay where they are. Comments, templates and entities do not change.
 */
export function inlineCss(html: string): string {
  return juice(html, { applyWidthAttributes: false, applyHeightAttributes: false });
}
