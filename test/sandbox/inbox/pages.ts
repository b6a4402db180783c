import { expect } from 'vitest';
import type { TestSandbox } from '../harness.ts';

/** A page of the inbox, as HTML and as visible text. */
export interface SeenPage {
  readonly status: number;
  readonly html: string;
  readonly text: string;
  readonly headers: Headers;
}

/** Requests a page of the inbox. */
export async function see({ sandbox }: TestSandbox, path: string): Promise<SeenPage> {
  const reply = await sandbox.fetch(new Request(`http://sandbox.test${path}`));
  const html = await reply.text();
  expect(reply.headers.get('Content-Type')).toMatch(/^text\/html/);
  return { status: reply.status, html, text: textOf(html), headers: reply.headers };
}

/** The cells of the rows of the table with this caption, as text. */
export function rowsOf({ html }: SeenPage, caption: string): string[][] {
  const start = html.indexOf(`<caption class="hidden">${caption}`);
  if (start === -1) return [];
  const end = html.indexOf('</table>', start);
  const body = html.slice(html.indexOf('<tbody>', start), end);
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)),
  );
}

/** HTML as text, without tags and entities, with single spaces. */
export function textOf(html: string): string {
  return html
    .replace(/<(script|style|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Names with markup, scripts, extreme length or another text direction. */
export const hostile = {
  script: '<script>document.title = "taken"</script>',
  image: '"><img src=x onerror="document.title=\'taken\'">',
  quotes: `' onmouseover='x' "quoted" & <b>`,
  link: 'javascript:document.title="taken"',
  long: 'n'.repeat(10_000),
  turned: 'invoice\u202egpj.exe',
} as const;
