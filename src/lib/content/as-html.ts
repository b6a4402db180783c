const inHtml: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Escapes a text for HTML in the same way as Liquid. */
export function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => inHtml[character] ?? character);
}
