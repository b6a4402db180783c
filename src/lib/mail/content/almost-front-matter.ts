import { hasFrontMatter } from '../../../shared/check/checks/front-matter.ts';
import { UsageError } from '../../base/errors.ts';

/** Lines that may be meant as the one that begins front matter: of YAML, TOML, or a block of code. */
const fence =
  /^[ \t]*(?:-[ \t]*-[- \t]*|[–—][–—-]*|\+{2,}|={3,}|;{3,}|\.{3,}|(?:```|~~~)(?:ya?ml|toml)?)[ \t]*$/i;

/**
 * Throws a `UsageError` for a file that begins with something like front matter, such as `+++`, or known fields without
 * a line of `---` after them. It would be part of the text.
 */
export function refuseAlmostFrontMatter(
  file: string,
  text: string,
  known: readonly string[],
): void {
  const lines = text.slice(0, 64 * 1024).split(/\r?\n|\r/);
  const first = lines.findIndex((line) => line.replace(/^\ufeff+/, '').trim() !== '');
  const beginning = lines[first]?.replace(/^\ufeff+/, '') ?? '';
  const isFenced = fence.test(beginning);
  const rest = lines
    .slice(isFenced ? first + 1 : first)
    .map((line) => line.replace(/^\ufeff+/, ''));
  const from = rest.findIndex((line) => line.trim() !== '');
  const until = rest.findIndex((line, at) => at > from && (line.trim() === '' || fence.test(line)));
  const block = rest.slice(Math.max(from, 0), until === -1 ? undefined : until);
  const fields = new RegExp(`^[ \t]*["']?(?:${known.join('|')})["']?[ \t]*[:=]`, 'i');
  // Other programs have other fields, such as the title; in Markdown, only +++ leaves these in the text.
  if (!block.some((line) => fields.test(line)) && !hasFrontMatter(text)) return;
  // Without a line before it, it is front matter only if a line after it says so.
  const isClosed = until !== -1 && fence.test(rest[until] ?? '');
  if (!isFenced && !(isClosed && block.every((line) => /^[ \t]*[\w"'-]+[ \t]*[:=]/.test(line))))
    return;
  const why = whyNot({ first, beginning, isFenced });
  throw new UsageError(`${file}: line ${first + 1}: this looks like front matter, but ${why}`, {
    hint: 'Front matter is YAML between two lines of ---, the first of which is the first line of the file. To begin a text with a horizontal rule, write ***.',
  });
}

function whyNot({
  first,
  beginning,
  isFenced,
}: {
  readonly first: number;
  readonly beginning: string;
  readonly isFenced: boolean;
}): string {
  if (!isFenced) return 'there is no line of --- before it';
  if (!/^---[ \t]*$/.test(beginning)) return `it begins with ${beginning.trim()} instead of ---`;
  return first > 0 ? 'it does not begin in the first line' : 'no line of --- ends it';
}
