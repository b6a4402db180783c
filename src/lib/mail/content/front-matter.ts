import type { parse, Scalar } from 'yaml';
import { grouped } from '../../../shared/grouped.ts';
import { UsageError } from '../../base/errors.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { refuseAlmostFrontMatter } from './almost-front-matter.ts';

/** Matches YAML between two lines of three hyphens at the start of a file, and the rest. */
const parts = /(?<![\s\S])---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|$)(.*)$/ms;

/** Characters of front matter. Hostile YAML with more takes seconds. */
const longest = 10_000;

/**
 * Splits a file into the texts of its YAML front matter, undefined if there is none, and the rest. Throws a `UsageError` that begins with the
 * name of the file for other fields, for invalid YAML, and for values that YAML reads otherwise than people do.
 */
export async function readFrontMatter<Field extends string>(
  file: string,
  text: string,
  known: readonly Field[],
) {
  const [, yaml, rest = ''] = parts.exec(text) ?? [];
  if (yaml !== undefined) return { fields: await readYamlFields(file, yaml, known), rest };
  refuseAlmostFrontMatter(file, text, known);
  return { fields: undefined, rest: text };
}

async function readYamlFields<Field extends string>(
  file: string,
  yaml: string,
  known: readonly Field[],
): Promise<Partial<Record<Field, string>>> {
  if (yaml.length > longest) {
    throw new UsageError(
      `${file}: there are more than ${grouped(longest)} characters between the lines of ---`,
      { hint: 'To begin a text with a horizontal rule, write ***.' },
    );
  }
  const { isMap, isScalar, LineCounter, parse, parseDocument } = await import('yaml');
  const lines = yaml.split(/\r?\n/);
  const lineCounter = new LineCounter();
  // All values are texts, because a template may be named 2026.
  const document = parseDocument(yaml, { schema: 'failsafe', lineCounter });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const [first = ''] = problem.message.split('\n', 1);
    const line = problem.linePos?.[0].line ?? 1;
    const why =
      problem.code === 'DUPLICATE_KEY'
        ? 'the field is there a second time'
        : first.replace(/:$/, '').replace(/ at line \d+, column \d+$/, '');
    // Quotes do not help a field that is there twice.
    const hint = problem.code === 'DUPLICATE_KEY' ? '' : quoteHint(lines[line - 1] ?? '');
    // The line of --- comes first.
    throw new UsageError(`${file}: cannot be read as YAML: line ${line + 1}: ${why}${hint}`);
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
  const fields: Partial<Record<Field, string>> = {};
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    // Written out, keys within keys would double with each level.
    if (!isScalar(key)) {
      throw new UsageError(`${file}: the name of a field must be a word, such as ${known[0]}: …`);
    }
    const name = String(key);
    const field = known.find((one) => one === name);
    if (field === undefined) {
      throw new UsageError(
        `${file}: unknown field ${quotedNames([name])}; there are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
      );
    }
    // Keys have a place, because they were parsed.
    const offset = key.range?.[0] ?? 0;
    const { line } = lineCounter.linePos(offset);
    const written = lines[line - 1] ?? '';
    if (!isScalar(value) || typeof value.value !== 'string') {
      throw new UsageError(`${file}: ${field} must be text: line ${line + 1}${quoteHint(written)}`);
    }
    const otherwise = looksOtherwise(value as Scalar<string>, written, parse);
    if (otherwise !== undefined) {
      throw new UsageError(
        `${file}: line ${line + 1}: ${field} ${otherwise}; put the value in quotes`,
      );
    }
    fields[field] = textOf(value.value, value.type);
  }
  return fields;
}

/** A text in a block ends with a line break that nobody wants in a subject. */
function textOf(value: string, type: Scalar['type']): string {
  return type?.startsWith('BLOCK') === true ? value.replace(/\n+$/, '') : value;
}

/**
 * What YAML makes of a value without quotes, if that is not what stands there: `is read as Order, without #42`. Of
 * values in quotes or blocks, nothing.
 */
function looksOtherwise(
  { value, type, comment, anchor, tag }: Scalar<string>,
  line: string,
  parseYaml: typeof parse,
): string | undefined {
  if (type !== 'PLAIN') return undefined;
  if (comment != null && line.includes(`#${comment}`)) {
    return `is ${JSON.stringify(value)} in YAML, without ${JSON.stringify(`#${comment}`.trimEnd())}`;
  }
  if (anchor !== undefined || tag !== undefined) {
    return `is ${JSON.stringify(value)} in YAML, without its first word`;
  }
  // Nobody takes a missing value for one.
  if (value === '') return undefined;
  for (const version of ['1.1', '1.2'] as const) {
    const read: unknown = parseYaml(value, { version });
    if (read instanceof Date) return `is a date in YAML: ${value}`;
    if (typeof read === 'string' || String(read) === value) continue;
    return `is ${read === null ? 'nothing' : String(read)} in YAML: ${value}`;
  }
  return value === 'null' ? 'is nothing in YAML: null' : undefined;
}

/** What to do about a line that is not what it looks like: the end of a sentence. */
function quoteHint(line: string): string {
  const [, field, value = ''] = /^([\w-]+):[ \t]+(.*?)[ \t]*$/.exec(line) ?? [];
  if (field === undefined || value === '' || /^["']/.test(value)) return '';
  const quoted = value.includes('"')
    ? `'${value.replaceAll("'", "''")}'`
    : `"${value.replaceAll('\\', '\\\\')}"`;
  return `; put the value in quotes: ${field}: ${quoted}`;
}
