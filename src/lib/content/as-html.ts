const inHtml: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** A text as HTML that shows it, written as Liquid writes it. */
export function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => inHtml[character] ?? character);
}
