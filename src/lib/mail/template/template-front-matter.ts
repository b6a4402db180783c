import { UsageError } from '../../base/errors.ts';
import { readFrontMatter } from '../content/front-matter.ts';

/** The content of a template's file: name and subject as YAML front matter, then the HTML. */
export interface TemplateText {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
}

/** The text of a template's file. It ends with a line break, as editors expect. */
export async function writeFrontMatter({ name, subject, html }: TemplateText): Promise<string> {
  const { stringify } = await import('yaml');
  // Quotes what any version of YAML reads as another value, such as yes.
  const options = { lineWidth: 0, blockQuote: false, compat: 'yaml-1.1' } as const;
  const yaml = stringify({ name, subject }, options);
  return `---\n${yaml}---\n${html}${html.endsWith('\n') ? '' : '\n'}`;
}

/** Parses the text of a template's file. Throws a `UsageError` that starts with the file's name. */
export async function readTemplateText(file: string, text: string): Promise<TemplateText> {
  const { fields, rest: html } = await readFrontMatter(file, text, ['name', 'subject']);
  if (fields === undefined) {
    throw new UsageError(`${file}: has no name and subject between two lines of ---`);
  }
  const { name = '', subject = '' } = fields;
  const lacks = missingField({ name, subject, html });
  if (lacks !== undefined) throw new UsageError(`${file}: ${lacks}`);
  return { name, subject, html };
}

/** What a template lacks for a file that could be pushed: drafts in the dashboard may be blank. */
export function missingField({ name, subject, html }: TemplateText): string | undefined {
  if (name === '') return 'name is missing';
  if (subject === '') return 'subject is missing';
  return html.trim() === '' ? 'has no HTML' : undefined;
}

/** The text as compared: ignores the kind of line breaks, and those at the end. */
export function comparedText({ name, subject, html }: TemplateText): string {
  return JSON.stringify([name, subject, html.replaceAll('\r\n', '\n').replace(/\n+$/, '')]);
}

export function isSameTemplate(one: TemplateText, other: TemplateText): boolean {
  return comparedText(one) === comparedText(other);
}
