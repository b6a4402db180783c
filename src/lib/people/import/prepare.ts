import { type ContactBook, usesDoubleOptIn } from '../../../api/contact.ts';
import { UsageError } from '../../base/errors.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { temporaryFile } from '../../base/files/temporary-database.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { quantity } from '../../base/text/quantity.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import {
  aboutVariableName,
  isBookVariable,
  mapToVariables,
} from '../../base/text/variable-name.ts';
import type { Context } from '../../command-line/command/context.ts';
import { refuseTooMany } from '../../command-line/command/refuse-too-many.ts';
import { policyError, refusedBy, whyApproval, whyNotTo } from '../../service/policy/refusal.ts';
import { Consent, type ConsentColumn } from '../consent/consent.ts';
import { toCheckInWords } from '../consent/to-check.ts';
import { spelledAsFirst, spelledBy } from '../contact/property-names.ts';
import { columnChoices } from '../rows/column-choices.ts';
import { openInput } from '../rows/open-input.ts';
import { createCheckingProgress } from '../rows/progress.ts';
import { readRows } from '../rows/read-rows.ts';
import { rowsInWords } from '../rows/row-findings.ts';
import { checkRows, refuseWrongRows, warningsAbout } from './check-rows.ts';
import { type ComparedRows, createComparison } from './compare.ts';
import { columnsOfContacts, isListAsCsv } from './contact-columns.ts';
import { type ContactRows, createContactRows } from './contact-rows.ts';
import type { ImportOptions } from './import-options.ts';
import type { Ledger } from './ledger.ts';
import { contactsOf, type Parts } from './parts.ts';
import type { ImportPlan } from './plan.ts';

/** Throws a `UsageError` for properties that cannot become variables of a book. */
function refuseVariables(wrong: readonly string[], system: ShellSystem): void {
  if (wrong.length === 0) return;
  const lines = wrong.slice(0, maxNames).map(aboutVariableName);
  const flags = mapToVariables(wrong, system);
  throw new UsageError(`--add-variables: ${withOverflowCount(lines, wrong.length).join('\n')}`, {
    hint: `Nothing was sent. To import ${wrong.length === 1 ? 'it under another name' : 'them under other names'}: ${flags}`,
  });
}

interface PrepareOptions extends Pick<ImportOptions, 'flags' | 'path' | 'compared' | 'whenEmpty'> {
  /** Undefined if the account is unknown, as in a dry run. */
  readonly book: ContactBook | undefined;
  readonly parts: Parts;
  readonly ledger: Pick<Ledger, 'find' | 'forget'> | undefined;
}

/**
 * Checks every row of a file, compares it with the book, and collects what to send. Throws a `UsageError` for
 * invalid rows, and a `PolicyError` for people who may not be mailed.
 */
export async function prepareImport(
  context: Context,
  { flags, path, book, parts, ledger, compared, whenEmpty }: PrepareOptions,
): Promise<ImportPlan> {
  const { system, progress, notes } = context;
  let contacts: ContactRows | undefined;
  try {
    const spelling = flags.addVariables === true ? spelledAsFirst : spelledBy;
    const spelled = spelling(book?.variables);
    const ignored = new Set<string>();
    const choices = columnChoices(flags);
    const variables = new Set((book?.variables ?? []).map(asMeant));
    const isVariable = (name: string) => variables.has(asMeant(choices.fieldOf(name) ?? name));
    const consent = new Consent(choices, { isSubscribedChecked: true, isVariable });
    const meanings = { choices, consent, system };
    const blursPending = () => isListAsCsv(ignored);
    const comparing = () =>
      createComparison({ context, book, spelled, parts, ledger, compared, blursPending });
    const comparison = await progress.during('Reading the book', comparing);
    // If rows can be compared at once, they need not be kept until all are checked.
    const take = flags.lastWins === true ? undefined : comparison.take;
    const rowsOfFile = createContactRows();
    contacts = rowsOfFile;
    const input = await openInput(path, context);
    const { checked: report, view } = createCheckingProgress(context, input.share);
    // A book with double opt-in mails new contacts. If the book is unknown, the request itself is checked.
    const asksToConfirm = book !== undefined && usesDoubleOptIn(book);
    const { policy } = await context.policy();
    const checking = async () =>
      await checkRows(
        await readRows(input, columnsOfContacts(ignored, meanings), choices.isLeftOut),
        {
          contacts: rowsOfFile,
          spelled,
          take,
          lastWins: flags.lastWins === true,
          whyNot: (email) => (asksToConfirm ? whyNotTo([email], policy) : undefined),
          leaveOut: parts.leaveOut,
          ignored,
          meanings,
          signal: system.signal,
          report,
        },
      );
    const checked = await progress.during('', checking, view);
    if (checked.rows === 0) whenEmpty(`${input.name} contains no contacts`);
    else choices.refuseUnseen(input.name);
    const { columns: deciding, toCheck } = consent.end(input.name, context);
    notes.say(...toCheckInWords(toCheck));
    refuseWrongRows(checked, flags, system);
    for (const lines of warningsAbout(checked)) notes.warn(...lines);
    if (ignored.size > 0) {
      notes.say(`Not imported, because the service sets them: ${[...ignored].join(', ')}.`);
    }
    const decided = new Set(
      deciding
        .map(({ name }) => name)
        .filter((name) => consent.mayDecide(name))
        .map(spelled),
    );
    const takeAll = () => comparison.takeAll(rowsOfFile.all(decided));
    await progress.during('Comparing the rows with the book', takeAll);
    if (checked.noAgainstYes > 0) {
      notes.say(
        `The "no" counts for ${quantity(checked.noAgainstYes, 'address')} with "no" in one row and "yes" in a later one.`,
      );
    }
    const leftPending = comparison.leftPending();
    if (leftPending > 0) {
      notes.say(
        `${quantity(leftPending, 'pending contact')} not unsubscribed: contact list --csv writes "false" in subscribed for pending contacts, too.`,
      );
    }
    refuseUnsubscribing(comparison.counts().perhapsToUnsubscribe, deciding, system);
    parts.end();
    const { contacts: toSend, requests } = parts.count('ready');
    if (asksToConfirm) {
      const again = flags.resendUnknown === true ? comparison.counts().inDoubt : 0;
      await refuseAsking(context, parts, again);
    }
    const { rows, invalid, duplicates } = checked;
    const properties = checked.properties.filter((name) => !decided.has(name));
    const known = new Set((book?.variables ?? []).map((name) => name.toLowerCase()));
    if (flags.addVariables === true) {
      refuseVariables(
        properties.filter((name) => !(known.has(name.toLowerCase()) || isBookVariable(name))),
        system,
      );
    }
    const otherProperties =
      book === undefined ? [] : properties.filter((name) => !known.has(name.toLowerCase()));
    return {
      ...comparison.counts(),
      book,
      consent: deciding,
      toCheck,
      rows,
      invalid,
      duplicates,
      toSend,
      requests,
      otherProperties,
    };
  } catch (error) {
    throw explainStateError(error, temporaryFile);
  } finally {
    contacts?.close();
  }
}

/**
 * Throws a `PolicyError` if an import into a book with double opt-in would mail more people than the policy
 * allows, if their emails would have to be redirected, or if a person has to approve them. Contacts that are changed one by one
 * get no email; `again` are those of an earlier import that may get another one.
 */
async function refuseAsking(
  context: Pick<Context, 'policy' | 'dayCount' | 'flags' | 'system'>,
  parts: Parts,
  again: number,
): Promise<void> {
  const posted = parts.readyTogether() + again;
  if (posted === 0) return;
  const { policy } = await context.policy();
  const [redirect] = policy.redirectTo;
  if (redirect !== undefined) {
    throw policyError(refusedBy(redirect, 'cannot redirect emails that ask for confirmation'));
  }
  await refuseTooMany(context, posted);
  if (policy.approval.length === 0) return;
  const mailboxes = parts.idsOf('ready').flatMap((id) => {
    const part = parts.find(id);
    return part === undefined || part.alone ? [] : contactsOf(part).map((one) => one.contact.email);
  });
  const refusal = whyApproval(policy, { recipients: posted, mailboxes });
  if (refusal === undefined) return;
  const { needsApproval } = await import('../../command-line/outbox/prepare.ts');
  throw needsApproval(context, refusal);
}

/**
 * Throws a `UsageError` if contacts that are subscribed in the book would be unsubscribed because of columns whose
 * meaning only their names tell: an import cannot undo that.
 */
function refuseUnsubscribing(
  { count, rows }: ComparedRows['perhapsToUnsubscribe'],
  columns: readonly ConsentColumn[],
  system: ShellSystem,
): void {
  if (count === 0) return;
  const perhaps = columns.filter((one) => !one.isStated && one.no > 0);
  const names = perhaps.map(({ name }) => JSON.stringify(name)).join(' and ');
  const flags = perhaps.map(({ name, isInverted }) =>
    shellQuote(['--map', `${isInverted ? 'unsubscribed' : 'subscribed'}=${name}`], system),
  );
  const ignore = perhaps.map(({ name }) => shellQuote(['--ignore-column', name], system));
  throw new UsageError(
    `${quantity(count, 'contact')} in the book would be unsubscribed because of ${names}, and an import cannot undo that: ${rowsInWords({ rows: rows.map(String), count })}.`,
    {
      hint: `Nothing was sent. To unsubscribe them: ${flags.join(' ')}\nTo leave them subscribed: ${ignore.join(' ')}`,
    },
  );
}
