import type { ContactBook } from '../../../api/contact.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { temporaryFile } from '../../base/files/temporary-database.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { afterSending, notWritten } from '../../command-line/command/after-sending.ts';
import type { Context } from '../../command-line/command/context.ts';
import { changeBook } from '../contact/book/update-book.ts';
import { createSendingProgress } from '../rows/progress.ts';
import { writeRows } from '../rows/results-file.ts';
import { awaitArrival } from './await-arrival.ts';
import { type ContactResult, contactResults } from './contact-results.ts';
import { arrivalWait } from './flags.ts';
import { type ImportOutcome, importInWords, outcomeOf, withImportProgress } from './outcome.ts';
import type { Parts } from './parts.ts';
import { sendContacts } from './send-contacts.ts';
import type { PreparedImport, Sending } from './sending.ts';

/** Sends what differs, waits until the book has it, and writes the outcome of each row. */
export async function finishImport(prepared: PreparedImport): Promise<ImportOutcome> {
  const { context, flags, plan, parts } = prepared;
  let hasBegun = false;
  try {
    const names = flags.addVariables === true ? plan.otherProperties : [];
    const book = await addVariables(context, prepared.book, names);
    const begins = () => {
      hasBegun = true;
    };
    await sendAndAwait({ ...prepared, book, begins });
    const outcome = outcomeOf(prepared);
    if (flags.results !== undefined) {
      await writeResults(context, parts, flags.results).catch((error: unknown) => {
        const { failure, ...numbers } = outcome;
        throw hasBegun ? notWritten(error, { outcome: importInWords(numbers), failure }) : error;
      });
    }
    return outcome;
  } catch (error) {
    const explained = explainStateError(error, temporaryFile);
    throw hasBegun ? afterSending(explained) : explained;
  }
}

async function addVariables(
  context: Context,
  book: ContactBook,
  add: readonly string[],
): Promise<ContactBook> {
  if (add.length === 0) return book;
  const variables = { add, remove: [] };
  await changeBook(context, book.id, { fields: {}, variables, properties: undefined });
  return { ...book, variables: [...(book.variables ?? []), ...add] };
}

/** Sends what is ready, and waits until the book has everything that was sent. */
async function sendAndAwait(sending: Sending): Promise<void> {
  const { context, flags, parts } = sending;
  const { progress } = context;
  const inProgress = (label?: string) => {
    const { there = 0, rejected = 0, ...open } = parts.counts();
    const others = Object.values(open).reduce((sum, size) => sum + size, 0);
    const done = { accepted: there, refused: rejected, unknown: 0, ready: 0, begun: 0 };
    return createSendingProgress(context, done, there + rejected + others, label);
  };
  const wait = async (forUnknown: boolean) => {
    const { decided, view } = inProgress('Arrived');
    const arrived = (contacts: number) => decided(contacts, 0);
    const { timeout, ofEarlier } = arrivalWait(flags);
    // Before they are sent again, what may still arrive has all the time of a first import.
    const times = { timeout, ofEarlier: forUnknown ? timeout : ofEarlier };
    if (!forUnknown) sayWhyWaiting(sending, ofEarlier);
    const waiting = () => awaitArrival(sending, { ...times, forUnknown, arrived });
    await progress.during('', waiting, view);
  };
  try {
    if (flags.resendUnknown === true) {
      // Contacts that may still arrive are sent again only if they do not.
      await wait(true);
      parts.sendAgain();
    }
    const { decided, view } = inProgress();
    await progress.during('', () => sendContacts(sending, decided), view);
    await wait(false);
  } catch (error) {
    throw withImportProgress(error, context, parts);
  }
}

/** Says that contacts of an earlier import are waited for, and why they are not sent again. */
function sayWhyWaiting({ context, parts }: Sending, timeout: number): void {
  const earlier = parts.earlier();
  if (earlier === 0) return;
  const those = earlier === 1 ? 'It is' : 'They are';
  context.notes.say(
    `${quantity(earlier, 'contact')} of an earlier import may still arrive: waiting up to ${grouped(timeout / 1000)} s. ${those} not sent again, because the service could ask twice to confirm.`,
  );
}

async function writeResults(context: Context, parts: Parts, path: string): Promise<void> {
  await writeRows(context, { name: 'import' }, path, {
    rows: contactResults(parts.rows()),
    header: ['row', 'email', 'outcome', 'id', 'message'],
    cells: ({ row, email, outcome, id = '', message = '' }: ContactResult) => [
      ...[String(row), email, outcome, id, message],
    ],
  });
}
