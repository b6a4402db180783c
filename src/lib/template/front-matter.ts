import { UsageError } from '../errors.ts';

/** What a file has of a template: its HTML, below the YAML of its name and subject. */
export interface TemplateText {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
}

const fields: readonly string[] = ['name', 'subject'];

/** YAML between two lines of three hyphens, at the start of a file, and the rest. */
const parts = /^---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|$)(.*)$/ms;

/** The file of a template. Its HTML ends with a line break, as editors want it. */
export async function writeFrontMatter({ name, subject, html }: TemplateText): Promise<string> {
  const { stringify } = await import('yaml');
  const yaml = stringify({ name, subject }, { lineWidth: 0, blockQuote: false });
  return `---\n${yaml}---\n${html}${html.endsWith('\n') ? '' : '\n'}`;
}

/** Reads such a file. Throws a `UsageError` that begins with its name. */
export async function readFrontMatter(file: string, text: string): Promise<TemplateText> {
  const [, yaml, html = ''] = parts.exec(text) ?? [];
  if (yaml === undefined) {
    throw new UsageError(`${file}: has no name and subject between two lines of ---`);
  }
  const { isMap, parseDocument } = await import('yaml');
  // All values are texts: a template may be named 2026.
  const document = parseDocument(yaml, { schema: 'failsafe' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const [first = ''] = problem.message.split('\n', 1);
    throw new UsageError(`${file}: cannot be read as YAML: ${first.replace(/:$/, '')}`);
  }
  // Nodes are read as they are: nothing here may be an alias, whatever it would stand for.
  const { contents } = document;
  const stated = isMap(contents) ? contents.items.map(({ key }) => String(key)) : [];
  const unknown = stated.find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    throw new UsageError(
      `${file}: unknown field ${JSON.stringify(unknown)}; there are name and subject`,
    );
  }
  const [name = '', subject = ''] = fields.map((field) => {
    const value: unknown = document.get(field) ?? '';
    if (typeof value === 'string') return value;
    throw new UsageError(`${file}: ${field} is not a text`);
  });
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

/** Whether two texts are the same template: line ends, and those after the last line, do not matter. */
export function isSameTemplate(one: TemplateText, other: TemplateText): boolean {
  const plain = (html: string) => html.replaceAll('\r\n', '\n').replace(/\n+$/, '');
  return (
    one.name === other.name &&
    one.subject === other.subject &&
    plain(one.html) === plain(other.html)
  );
}
