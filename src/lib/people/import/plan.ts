import type { ContactBook } from '../../../api/contact.ts';
import { compact } from '../../base/text/compact.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import type { Joining } from '../../service/http/dry-run.ts';
import { type ConsentColumn, consentInWords } from '../consent/consent.ts';
import type { ColumnToCheck } from '../consent/to-check.ts';
import type { CheckedRows } from './check-rows.ts';
import type { ComparedRows } from './compare.ts';

/** What an import will do. */
export interface ImportPlan
  extends ComparedRows,
    Pick<CheckedRows, 'rows' | 'duplicates' | 'invalid'> {
  /** Undefined if the account is unknown, as in a dry run. */
  readonly book: ContactBook | undefined;
  /** The columns that say who wants email. */
  readonly consent: readonly ConsentColumn[];
  /** Columns that decide nothing, and whose values look as if they might. */
  readonly toCheck: readonly ColumnToCheck[];
  /** Number of contacts that are sent, and of their requests. */
  readonly toSend: number;
  readonly requests: number;
  /** Properties of rows that campaigns to the book cannot use yet. */
  readonly otherProperties: readonly string[];
}

/**
 * How the requests of an import are joined to a plan. How many people it mails is unknown without the book. Its dry run looks
 * the book up, so that there are no names in it.
 */
export function joiningOf({ book, confirmations }: ImportPlan): Joining {
  return { mails: book === undefined ? undefined : confirmations, names: new Map() };
}

/** What a person should know before confirming. */
export function planInWords(plan: ImportPlan, addVariables: boolean): string[] {
  const { unchanged, unsubscribed, confirmations, inDoubt, otherProperties, book } = plan;
  const names = quotedNames(otherProperties);
  const optIn =
    book?.doubleOptInEnabled === true
      ? 'The book has double opt-in'
      : 'The service does not report whether the book has double opt-in';
  return [
    book === undefined
      ? `${quantity(plan.rows, 'row')}. The book was not read, so each contact counts as new.`
      : `${quantity(plan.new, 'new contact')}, ${grouped(plan.changed)} changed, ${grouped(unchanged)} unchanged.`,
    ...consentOfPlan(plan),
    ...compact(
      unsubscribed > 0 &&
        `${grouped(unsubscribed)} ${unsubscribed === 1 ? 'stays' : 'stay'} unsubscribed.`,
      confirmations > 0 && `${optIn}: ${whoGetsEmail(plan)} that asks for confirmation.`,
      inDoubt > 0 && `${quantity(inDoubt, 'contact')} of an earlier import may still arrive.`,
      mayBeKnown(plan) &&
        'The service does not list the whole book, so an address that it has in different capitals may count as new.',
      otherProperties.length > 0 &&
        (addVariables
          ? `New variables of the book, for campaigns: ${names}.`
          : `Not variables of the book, so campaigns cannot use them: ${names}. To add them: --add-variables`),
    ),
  ];
}

/** Which columns say who wants email, and what follows from them. */
export function consentOfPlan(plan: ImportPlan): string[] {
  return [
    ...plan.consent.map((column) => `${consentInWords(column)}.`),
    ...subscriptionsInWords(plan),
  ];
}

/** Who will be subscribed and who not, where the file says something about it. */
function subscriptionsInWords(plan: ImportPlan): string[] {
  const { newUnsubscribed, toUnsubscribe, skipped: left } = plan;
  if (newUnsubscribed + toUnsubscribe + left === 0) return [];
  const parts = compact(
    `${grouped(plan.new - newUnsubscribed)} subscribed`,
    `${grouped(newUnsubscribed)} added as unsubscribed`,
    left > 0 && `${grouped(left)} left out, because the file does not say that they want email`,
  );
  return compact(
    `New contacts: ${parts.join(', ')}.`,
    toUnsubscribe > 0 &&
      `${quantity(toUnsubscribe, 'contact')} of the book, subscribed until now, will be unsubscribed.`,
  );
}

/** The question before anything is sent; undefined if nothing is. */
export function questionAboutImport(plan: ImportPlan, resendUnknown: boolean): string | undefined {
  const { toSend, requests, confirmations, inDoubt, toUnsubscribe, book } = plan;
  const into = book?.name ?? 'the book';
  const again = resendUnknown && inDoubt > 0;
  const twice = again
    ? ` Those of ${quantity(inDoubt, 'contact')} of an earlier import that do not arrive will be sent again, and may be asked to confirm a second time.`
    : '';
  if (requests === 0) return again ? `Continue the import into ${into}?${twice}` : undefined;
  const mails =
    confirmations === 0
      ? ''
      : ` ${whoGetsEmail(plan)}${mayBeKnown(plan) ? ', even if the book has their address in different capitals' : ''}.`;
  const unsubscribes =
    toUnsubscribe === 0 ? '' : ` ${grouped(toUnsubscribe)} will be unsubscribed.`;
  return `Send ${quantity(toSend, 'contact')} to ${into} in ${quantity(requests, 'request')}?${unsubscribes}${mails}${twice}`;
}

/** Whether new contacts may be in the book already: the service finds only exact addresses. */
function mayBeKnown(plan: ImportPlan): boolean {
  return plan.contacts === undefined && plan.new > 0;
}

/** How many people get an email that asks for confirmation. */
export function whoGetsEmail({
  confirmations,
  book,
}: Pick<ImportPlan, 'confirmations' | 'book'>): string {
  const people = confirmations === 1 ? '1 person' : `${grouped(confirmations)} people`;
  return `${people} ${book?.doubleOptInEnabled === true ? 'will' : 'may'} get an email`;
}
