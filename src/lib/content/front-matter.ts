import { UsageError } from '../errors.ts';
import { quotedNames } from '../text/quoted-names.ts';

/** Matches YAML between two lines of three hyphens at the start of a file, and the rest. */
const parts = /(?<![\s\S])---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|$)(.*)$/ms;

interface WithFrontMatter {
  /** Undefined if the file has no front matter. */
  readonly yaml: string | undefined;
  readonly rest: string;
}

/** Splits a file into its YAML front matter and the rest. */
export function splitFrontMatter(text: string): WithFrontMatter {
  const [, yaml, rest = ''] = parts.exec(text) ?? [];
  return yaml === undefined ? { yaml, rest: text } : { yaml, rest };
}

/**
 * The texts of these fields in YAML. Throws a `UsageError` that begins with the name of the file for other
 * fields, and for invalid YAML.
 */
export async function readYamlFields<Field extends string>(
  file: string,
  yaml: string,
  known: readonly Field[],
): Promise<Partial<Record<Field, string>>> {
  const { isMap, parseDocument } = await import('yaml');
  // All values are texts, because a template may be named 2026.
  const document = parseDocument(yaml, { schema: 'failsafe' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const [first = ''] = problem.message.split('\n', 1);
    throw new UsageError(`${file}: cannot be read as YAML: ${first.replace(/:$/, '')}`, {
      hint: needsQuotes(yaml),
    });
  }
  // Nodes are read without resolving aliases, which are not allowed here.
  const { contents } = document;
  // Otherwise, a text between two horizontal rules would get lost.
  if (contents !== null && !isMap(contents)) {
    throw new UsageError(
      `${file}: there are no fields between the lines of ---, such as ${known[0]}: …`,
      {
        hint: 'To begin a text with a horizontal rule, write ***.',
      },
    );
  }
  const stated = isMap(contents) ? contents.items.map(({ key }) => String(key)) : [];
  const names: readonly string[] = known;
  const unknown = stated.find((field) => !names.includes(field));
  if (unknown !== undefined) {
    throw new UsageError(
      `${file}: unknown field ${quotedNames([unknown])}; there are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
    );
  }
  const fields: Partial<Record<Field, string>> = {};
  for (const field of known.filter((one) => stated.includes(one))) {
    const value: unknown = document.get(field) ?? '';
    if (typeof value !== 'string') {
      throw new UsageError(`${file}: ${field} must be text`, { hint: needsQuotes(yaml) });
    }
    fields[field] = value;
  }
  return fields;
}

/** What to do about a value that begins like an object in YAML. */
function needsQuotes(yaml: string): string | undefined {
  const isTemplate = /:[ \t]*\{\{/.test(yaml);
  return isTemplate ? 'A value that begins with {{ needs quotes: to: "{{ email }}"' : undefined;
}
