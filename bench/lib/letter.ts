import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';

/** The template of the letter. */
export const letterPath = fileURLToPath(new URL('letter.html', import.meta.url));
export const sender = 'news@example.com';
export const subject = 'News for {{ name | default: "you" }}';

/** Renders the email of a row in the simplest way that escapes HTML in values. */
export function letterWriter() {
  const plain = new Liquid();
  const html = new Liquid({ outputEscape: 'escape' });
  const subjectTemplate = plain.parse(subject);
  const htmlTemplate = html.parse(readFileSync(letterPath, 'utf8'));
  return (row: Readonly<Record<string, string>>) => ({
    from: sender,
    to: row.to ?? '',
    subject: String(plain.renderSync(subjectTemplate, row)),
    html: String(html.renderSync(htmlTemplate, row)),
  });
}
