import { emailIdInPath } from '../../../api/email.ts';
import { attempt } from '../../../shared/attempt.ts';
import { UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { openInput } from '../../people/rows/open-input.ts';

/** The first column of a line, without quotes; CSV, tab-separated lines and bare ids have none that are escaped. */
const firstColumn = /^\s*"?([^",;\t]*)/;

/**
 * The ids on stdin: one per line, the first column of CSV or tab-separated lines, of which a header `id` is
 * skipped, or `id` or `emailId` of JSON Lines. An id that comes again is left out. Throws a `UsageError` for a line that has no id.
 */
export async function* idsOnStdin(context: Context): AsyncGenerator<string> {
  const { name, text } = await openInput('-', context);
  const seen = new Set<string>();
  let number = 0;
  const idOf = (line: string): string | undefined => {
    number++;
    const id = idIn(line.replace(/^\uFEFF/, ''));
    if (line.trim() === '' || (seen.size === 0 && id.trim() === 'id')) return undefined;
    if (!emailIdInPath.safeParse(id.trim()).success) {
      throw new UsageError(`${name}: line ${number} has no id: ${JSON.stringify(line)}`, {
        hint: 'Give one id per line, as mailer email list --quiet and --jsonl print them.',
      });
    }
    return id.trim();
  };
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const id of lines.map(idOf)) {
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      yield id;
    }
  }
  const id = idOf(rest);
  if (id !== undefined && !seen.has(id)) yield id;
}

function idIn(line: string): string {
  if (!line.startsWith('{')) return firstColumn.exec(line)?.[1] ?? '';
  const { id, emailId } = attempt(() => JSON.parse(line), {});
  return String(id ?? emailId ?? '');
}
