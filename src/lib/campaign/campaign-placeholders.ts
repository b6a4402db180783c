import type { Campaign } from '../../api/campaign.ts';
import type { ContactBook } from '../../api/contact.ts';
import { bookVariableIn, fieldIn, fieldsOfContacts } from '../../shared/placeholders.ts';
import { bestEffort } from '../command/best-effort.ts';
import type { Context } from '../command/context.ts';
import { ifShown } from '../command/if-shown.ts';
import { nextCommand } from '../command/next-command.ts';
import { placeholdersInDocument } from '../content/editor-document.ts';
import { foreignIn } from '../content/foreign-tags.ts';
import {
  type Unfilled,
  unfilledIn,
  unfilledInEnvelope,
  unfilledLines,
} from '../content/unfilled.ts';
import { UsageError } from '../errors.ts';
import { asMeant } from '../text/column-names.ts';
import { nearest } from '../text/nearest.ts';
import { said } from '../text/said.ts';
import { aboutVariableName, isBookVariable } from '../text/variable-name.ts';

/** The texts of a campaign, as far as they are known. */
export interface CampaignTexts
  extends Partial<Pick<Campaign, 'subject' | 'previewText' | 'html' | 'content'>> {
  readonly from?: unknown;
  readonly replyTo?: unknown;
  readonly cc?: unknown;
  readonly bcc?: unknown;
  /** The placeholders in the HTML, if they are known by the lines of its source. */
  readonly placeholders?: readonly Unfilled[] | undefined;
}

/** Where a campaign goes. */
interface Destination {
  readonly contactBookId: string | null | undefined;
  /** The book, if it was looked up. */
  readonly listed?: ContactBook | undefined;
}

/** Placeholders that a campaign leaves as they are written, each with its cause. */
interface Found {
  /** Those that no campaign can fill in. */
  readonly foreign: readonly Unfilled[];
  /** Those that name variables that the book does not have. */
  readonly unknown: readonly Unfilled[];
  /** Sentences and commands about the latter. */
  readonly advice: readonly string[];
  readonly book: ContactBook | undefined;
}

/** Warns of what a campaign does not fill in: every contact would get it as it is written. */
export async function warnOfUnfilled(
  context: Context,
  texts: CampaignTexts,
  to: Destination,
): Promise<void> {
  const { foreign, unknown, advice, book } = await findUnfilled(context, texts, to);
  const list = (all: readonly Unfilled[]) =>
    [...new Set(all.map(({ written }) => written))].join(', ');
  if (foreign.length > 0) {
    context.notes.warn(`Contacts would get this as it is written: ${list(foreign)}`, tags);
  }
  if (unknown.length > 0) {
    context.notes.warn(
      `Contacts would get this as it is written, because contact book ${book?.name} has no such variable: ${list(unknown)}`,
      ...advice,
    );
  }
}

const tags =
  'Campaigns fill in {{variable}} and {{variable, fallback=text}} in the subject and the body, and nothing else.';

/** Throws a `UsageError` for what a campaign that is about to start does not fill in. */
export async function refuseUnfilled(
  context: Context,
  texts: CampaignTexts,
  { undone, ...to }: Destination & { readonly undone: string },
): Promise<void> {
  const { foreign, unknown, advice } = await findUnfilled(context, texts, to, undone);
  const all = [...foreign, ...unknown];
  if (all.length === 0) return;
  throw new UsageError(
    `The campaign does not fill in ${all.length === 1 ? 'this placeholder' : 'these placeholders'}:\n${unfilledLines(all).join('\n')}`,
    {
      hint: [
        `${undone}.`,
        ...(foreign.length === 0 ? [] : [tags]),
        ...advice,
        'To send the campaign as it is written, add --literal.',
      ].join('\n'),
    },
  );
}

async function findUnfilled(
  context: Context,
  texts: CampaignTexts,
  { contactBookId, listed }: Destination,
  undone?: string,
): Promise<Found> {
  const { subject, previewText, html, content, placeholders, from, replyTo, cc, bcc } = texts;
  // Services send these as they are.
  const ofOthers = [
    ...unfilledInEnvelope({ from, replyTo, cc, bcc }, (field) => field),
    ...unfilledIn('preview text', previewText, 'line'),
  ];
  const written = [
    ...unfilledIn('subject', subject, 'line'),
    ...(placeholders ?? unfilledIn('HTML', html, 'html')),
    ...(html || typeof content !== 'string' ? [] : placeholdersInDocument(content)).map((one) => ({
      ...{ place: 'content', written: one },
    })),
  ];
  const variable = ({ written: one }: Unfilled) => bookVariableIn(one);
  const ofServices = [
    ...foreignIn('subject', subject, 'line'),
    ...foreignIn('preview text', previewText, 'line'),
    ...foreignIn('HTML', html, 'html').filter(
      ({ isCertain }) => !isCertain || placeholders === undefined,
    ),
  ];
  const likely = ofServices.filter(({ isCertain }) => !isCertain);
  // A start without a book yet is looked at once more.
  if (likely.length > 0 && (undone === undefined || contactBookId)) {
    context.notes.warn(
      'Contacts would get this as it is written; it looks like a placeholder of another service:',
      ...unfilledLines(likely),
    );
  }
  const foreign = [
    ...ofOthers,
    ...ofServices.filter(({ isCertain }) => isCertain),
    ...written.filter((one) => variable(one) === undefined),
  ];
  const ofBook = written.filter((one) => variable(one));
  const book =
    ofBook.length === 0 ? undefined : await bookOf(context, contactBookId, listed, undone);
  if (book === undefined) return { foreign, unknown: [], advice: [], book };
  const known = new Set((book.variables ?? []).map((name) => name.toLowerCase()));
  const unknown = ofBook.filter((one) => !known.has(variable(one) ?? ''));
  return { foreign, unknown, advice: adviceOn(context, unknown, book), book };
}

/** The book of a campaign. With `undone`, a start depends on it; otherwise only a warning does. */
async function bookOf(
  context: Context,
  contactBookId: string | null | undefined,
  listed: ContactBook | undefined,
  undone: string | undefined,
): Promise<ContactBook | undefined> {
  if (listed !== undefined || !contactBookId || context.flags.dryRun === true) return listed;
  const ask = async (within = {}) =>
    await context.call('contactBook.get', { params: { contactBookId } }, within);
  if (undone === undefined) return await bestEffort(context, ask);
  const unread = `${undone}, because the contact book could not be read. To start the campaign without checking its placeholders, add --literal.`;
  const book = await ifShown(ask, unread);
  if (book === undefined) {
    context.notes.say(
      'The service does not show the contact book, so the names of placeholders are not checked.',
    );
  }
  return book;
}

/** What the placeholders may stand for, and how to add the others to the book. */
function adviceOn(
  context: Context,
  unknown: readonly Unfilled[],
  { id, variables }: ContactBook,
): readonly string[] {
  const names = [
    ...new Set(
      unknown.map(({ written }) => (fieldIn(written)?.name ?? '').replace(/^contact\./i, '')),
    ),
  ];
  const known = [...fieldsOfContacts, ...(variables ?? [])];
  const meant = names.flatMap((name) => {
    const likely = likeliest(name, known);
    return likely === undefined ? [] : [`{{${name}}}: did you mean {{${likely}}}?`];
  });
  const add = names.filter(isBookVariable).flatMap((name) => ['--add-variable', name]);
  const command = nextCommand(context, 'contact', 'book', 'update', id, ...add);
  return said(
    ...meant,
    add.length > 0 && `To add ${add.length === 2 ? 'it' : 'them'} to the book: ${command}`,
    ...names.filter((name) => !isBookVariable(name)).map(aboutVariableName),
  );
}

/** Names that other services use for the same. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ name: 'firstName', fname: 'firstName', first: 'firstName', givenname: 'firstName' },
  ...{ lname: 'lastName', last: 'lastName', surname: 'lastName', familyname: 'lastName' },
};

function likeliest(name: string, known: readonly string[]): string | undefined {
  if (/unsubscribe/i.test(name)) return 'usesend_unsubscribe_url';
  return (
    known.find((one) => asMeant(one) === asMeant(name)) ??
    otherNames[asMeant(name)] ??
    nearest(name, known)
  );
}
