/** Shows HTML on a terminal as its reader sees it: as text, with the targets of links. */
export async function htmlReader(): Promise<(html: string | null | undefined) => string> {
  const { textOfHtml } = await import('./text-of-html.ts');
  return (html) => (html ? textOfHtml(html) : '');
}
