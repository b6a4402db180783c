import type { Campaign, CreateCampaignBody } from '../../../api/campaign.ts';
import type { ContactBook } from '../../../api/contact.ts';
import { placeholder } from '../../../shared/check/checks/placeholder.ts';
import { placeholderBlank } from '../../../shared/check/checks/placeholder-blank.ts';
import { collect, type FoundAt } from '../../../shared/check/collect.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { messageOfFields } from '../../../shared/check/message-of-fields.ts';
import { bookVariableIn, fieldIn, fieldsOfContacts } from '../../../shared/placeholders.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { compact } from '../../base/text/compact.ts';
import { nearest } from '../../base/text/nearest.ts';
import { aboutVariableName, isBookVariable } from '../../base/text/variable-name.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';
import { idGiven } from '../../command-line/command/names/last-made.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import type { Passed } from '../../service/http/passed.ts';
import { type Advice, type Passing, pass, type WrittenMessage } from '../message/gate.ts';
import { blankFor, createListContacts, type ListContacts } from './blank-for.ts';

interface CampaignPassing extends Pick<Passing, 'door' | 'literal' | 'isSaid'> {
  /** What did not happen if it stays out, such as `Nothing was created`. */
  readonly undone: string;
  /** The book that it goes to; undefined if that is not known yet. */
  readonly contactBookId?: string | null | undefined;
  /** The book, if it was looked up. */
  readonly listed?: ContactBook | undefined;
  /** Whether placeholders may be empty for some contacts. */
  readonly allowBlank?: boolean | undefined;
  readonly listContacts?: ListContacts | undefined;
  /** Where it is written; by default, at the service. */
  readonly written?: Pick<WrittenMessage, 'placeOf'> &
    Partial<Pick<MessageContent, 'writtenBody'>> & {
      readonly places?: ((message: MessageContent) => WrittenMessage['places']) | undefined;
    };
}

const tags =
  'Campaigns fill in {{variable}} and {{variable, fallback=text}} in the subject and the body, and nothing else.';

/**
 * Has a campaign pass the gate: as it is to be created, or as the service shows it. The book says which of its
 * placeholders are filled in, its contacts, for whom. Where a question follows, that is for the question to say.
 */
export async function passCampaign(
  context: Context,
  fields: Partial<Campaign> | Readonly<Record<string, unknown>>,
  { undone, contactBookId, listed, written = {}, literal, ...passing }: CampaignPassing,
): Promise<{ readonly passed: Passed; readonly blanks: readonly string[] }> {
  const { placeOf = partOfCampaign, places, writtenBody } = written;
  const { html, content } = fields;
  // A service may show less than all of it.
  const isPart = !html && !content;
  const texts = html ? { ...fields, content: undefined } : { ...fields, html: undefined };
  const known: MessageContent = { ...messageOfFields(texts, 'campaign'), writtenBody, isPart };
  const isOpen = collect(known, [placeholder]).some(({ severity }) => severity === 'info');
  const asksForBlanks = passing.allowBlank !== true && mayBeBlank(known);
  const starts = passing.door === 'now' || passing.door === 'later';
  const needed = starts ? undone : undefined;
  const book =
    isOpen && (literal !== true || asksForBlanks)
      ? await bookOf(context, contactBookId, listed, needed)
      : undefined;
  let blankFor: MessageContent['blankFor'];
  if (asksForBlanks && contactBookId) {
    if (context.flags.dryRun === true) {
      context.notes.say(
        'A dry run looks nothing up, so mailer did not check for whom placeholders are empty.',
      );
    } else if (mayBeBlank(known, book ?? {})) {
      const { listContacts } = passing;
      blankFor = await blanksOf(context, contactBookId, book, needed, listContacts);
    }
  }
  const message: MessageContent = { ...known, fills: book && fillsOf(book), blankFor };
  const advice = (code: string, found: readonly FoundAt[]) =>
    code === 'placeholder' || code === 'foreign-tag' ? adviceOn(context, found, book) : {};
  const blanks = starts && context.prompts.asks ? collect(message, [placeholderBlank]) : [];
  const passed = await pass(
    context,
    { message, placeOf, places: places?.(message) },
    {
      ...{ ...passing, nothing: `${undone}.`, advice },
      // A text as it is written is no matter of what contacts lack.
      ...(literal === true && { only: [placeholderBlank.code] }),
      except: blanks.map(({ code }) => code),
    },
  );
  return { passed, blanks: blanks.map((one) => one.message) };
}

/** Warns of placeholders that are empty for some contacts, as far as that can be asked. */
export async function warnOfBlanks(context: Context, body: CreateCampaignBody): Promise<void> {
  const message = messageOfFields(body, 'campaign');
  const blankFor = await blankForBody(context, body);
  for (const found of collect({ ...message, blankFor }, [placeholderBlank])) {
    context.notes.warn(found.message);
  }
}

/** For whom placeholders of a campaign are empty, whose book is as given; undefined if none is, or it cannot be asked. */
export async function blankForBody(
  context: Context,
  body: CreateCampaignBody,
): Promise<MessageContent['blankFor']> {
  const { contactBookId: given } = body;
  const message = messageOfFields(body, 'campaign');
  // A file may hold anything.
  const isAsked = typeof given === 'string' && context.flags.dryRun !== true;
  if (!isAsked || !mayBeBlank(message)) return undefined;
  const book = await bestEffort(context, async (within) => {
    const named = await idGiven(context, 'contact book', given);
    const books = await context.call('contactBook.list', {}, within);
    return books.find(({ id }) => id === named) ?? books.find(({ name }) => name === named);
  });
  return book && (await blanksOf(context, book.id, book, undefined));
}

/** Whether a message has a placeholder without a fallback that a campaign to this book, or to any, fills in. */
function mayBeBlank(message: MessageContent, book?: Pick<ContactBook, 'variables'>): boolean {
  const fills = book === undefined ? () => true : fillsOf(book);
  // As if each of them were empty for somebody.
  const blankFor = (name: string) => (fills?.(`{{${name}}}`, 'html') === true ? '' : undefined);
  return collect({ ...message, blankFor }, [placeholderBlank]).length > 0;
}

/** For whom a placeholder is empty. With `undone`, a start depends on it; otherwise only a warning does. */
async function blanksOf(
  context: Context,
  contactBookId: string,
  book: ContactBook | undefined,
  undone: string | undefined,
  list = createListContacts(context),
): Promise<MessageContent['blankFor']> {
  const ask = async (within = {}) => await list(contactBookId, within);
  const unread = `${undone}, because the contacts could not be listed. To start the campaign without this check, add --allow-blank.`;
  const contacts = await (undone === undefined
    ? bestEffort(context, ask)
    : fetchIfAvailable(ask, unread));
  if (contacts !== undefined) return blankFor(book ?? {}, contacts);
  if (undone !== undefined) {
    context.notes.say(
      'The service does not list the contacts, so placeholders may be empty for some of them.',
    );
  }
  return undefined;
}

function partOfCampaign(part: string): string {
  return part === 'html' ? 'HTML' : part === 'preview' ? 'preview text' : part;
}

/** What a campaign to this book fills in. */
function fillsOf({ variables }: Pick<ContactBook, 'variables'>): MessageContent['fills'] {
  const known = new Set((variables ?? []).map((name) => name.toLowerCase()));
  return (written, where) => {
    const variable = where === 'preview' ? undefined : bookVariableIn(written);
    return variable !== undefined && (variable === '' || known.has(variable));
  };
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
  const unread = `${undone}, because the contact book could not be read. To start the campaign without checking its placeholders, add --literal --allow-blank.`;
  const book = await fetchIfAvailable(ask, unread);
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
  found: readonly FoundAt[],
  book: ContactBook | undefined,
): Advice {
  const isVariable = ({ item, where }: FoundAt) =>
    /^(?:subject|html|content)$/.test(where) && bookVariableIn(item);
  const sentences = found.every(isVariable) ? [] : [tags];
  const fields = found.filter(isVariable).map(({ item }) => fieldIn(item)?.name);
  if (book === undefined) return { sentences };
  const { id, variables } = book;
  const names = [...new Set(fields.flatMap((name) => name?.replace(/^contact\./i, '') ?? []))];
  if (names.length === 0) return { sentences };
  const known = [...fieldsOfContacts, ...(variables ?? [])];
  const meant = names.flatMap((name) => {
    const likely = likeliest(name, known);
    return likely === undefined ? [] : [`{{${name}}}: did you mean {{${likely}}}?`];
  });
  const add = names.filter(isBookVariable).flatMap((name) => ['--add-variable', name]);
  const command = nextCommand(context, 'contact', 'book', 'update', id, ...add);
  const lines = compact(
    `Contact book ${book.name} has no such variable.`,
    ...meant,
    add.length > 0 && `To add ${add.length === 2 ? 'it' : 'them'} to the book: ${command}`,
    ...names.filter((name) => !isBookVariable(name)).map(aboutVariableName),
  );
  return { sentences, lines };
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
