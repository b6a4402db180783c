import type { Campaign } from '../../api/campaign.ts';
import type { ContactBook } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { tried } from '../command/tried.ts';
import { aboutVariableName, isBookVariable } from '../text/variable-name.ts';

const placeholder = /\{\{\s*(?:contact\.)?([\w.-]+)\s*(?:,\s*fallback=[^{}]*)?\}\}/gi;

/** What the service fills in for every contact book, in lower case. */
const ofEveryBook = /^(?:email|firstname|lastname|(?:usesend|unsend)_unsubscribe_url)$/;

type Content = Partial<Pick<Campaign, 'subject' | 'html' | 'content'>>;

/**
 * Warns of placeholders that are not variables of the contact book, because every contact would get them
 * as they are written; returns whether there are any. Only if the content has placeholders of its own,
 * and the book was not looked up yet, is there a request; if that fails, there is no warning.
 */
export async function warnOfUnfilled(
  context: Context,
  { subject, html, content }: Content,
  contactBookId: string | null | undefined,
  listed?: ContactBook,
): Promise<boolean> {
  const found = new Map<string, string>();
  for (const text of [subject, html, content, ...variablesOf(content)]) {
    // What is in a request's file is not checked yet.
    if (typeof text !== 'string') continue;
    for (const [written, name = ''] of text.matchAll(placeholder)) {
      if (!ofEveryBook.test(name.toLowerCase())) found.set(name, written);
    }
  }
  if (found.size === 0 || !contactBookId || context.flags.dryRun === true) return false;
  const params = { contactBookId };
  const book =
    listed ??
    (await tried(context, (within) => context.call('contactBook.get', { params }, within)));
  if (book === undefined) return false;
  const known = new Set((book.variables ?? []).map((name) => name.toLowerCase()));
  const unfilled = [...found].filter(([name]) => !known.has(name.toLowerCase()));
  if (unfilled.length === 0) return false;
  const names = unfilled.map(([name]) => name);
  const add = names.filter(isBookVariable).flatMap((name) => ['--add-variable', name]);
  const command = nextCommand(context, 'contact', 'book', 'update', book.id, ...add);
  context.notes.warn(
    `Not filled in, because contact book ${book.name} has no such variable: ${unfilled.map(([, written]) => written).join(', ')}`,
    ...(add.length === 0 ? [] : [`To add ${add.length === 2 ? 'it' : 'them'}: ${command}`]),
    ...names.filter((name) => !isBookVariable(name)).map(aboutVariableName),
  );
  return true;
}

/** The variables in a document of the dashboard's editor, as the service renders them. */
function variablesOf(content: unknown): readonly string[] {
  if (typeof content !== 'string') return [];
  const found: string[] = [];
  try {
    JSON.parse(content, (_, node) => {
      if (node?.type === 'variable') found.push(`{{${node.attrs?.id ?? node.attrs?.name ?? ''}}}`);
      return node;
    });
  } catch {
    // The service tells what is wrong with it.
  }
  return found;
}
