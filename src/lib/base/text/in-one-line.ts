/** A text without its line breaks: a service may write white space differently. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
