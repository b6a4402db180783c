import { readYamlFields, splitFrontMatter } from '../content/front-matter.ts';
import { UsageError } from '../errors.ts';

/** What a file has of a template: its HTML, below the YAML of its name and subject. */
export interface TemplateText {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
}

/** The file of a template. Its HTML ends with a line break, as editors want it. */
export async function writeFrontMatter({ name, subject, html }: TemplateText): Promise<string> {
  const { stringify } = await import('yaml');
  const yaml = stringify({ name, subject }, { lineWidth: 0, blockQuote: false });
  return `---\n${yaml}---\n${html}${html.endsWith('\n') ? '' : '\n'}`;
}

/** Reads such a file. Throws a `UsageError` that begins with its name. */
export async function readFrontMatter(file: string, text: string): Promise<TemplateText> {
  const { yaml, rest: html } = splitFrontMatter(text);
  if (yaml === undefined) {
    throw new UsageError(`${file}: has no name and subject between two lines of ---`);
  }
  const { name = '', subject = '' } = await readYamlFields(file, yaml, ['name', 'subject']);
  const lacks = whatLacks({ name, subject, html });
  if (lacks !== undefined) throw new UsageError(`${file}: ${lacks}`);
  return { name, subject, html };
}

/** Why no file can have a template, because it could not be pushed: drafts of the dashboard may be blank. */
export function whatLacks({ name, subject, html }: TemplateText): string | undefined {
  if (name === '') return 'name is missing';
  if (subject === '') return 'subject is missing';
  return html.trim() === '' ? 'has no HTML' : undefined;
}

/** The text as compared: line ends, and those after the last line, do not matter. */
export function comparedText({ name, subject, html }: TemplateText): string {
  return JSON.stringify([name, subject, html.replaceAll('\r\n', '\n').replace(/\n+$/, '')]);
}

/** Whether two texts are the same template. */
export function isSameTemplate(one: TemplateText, other: TemplateText): boolean {
  return comparedText(one) === comparedText(other);
}
