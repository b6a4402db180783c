import { NotFoundError, UsageError, withHint } from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { checkPlan, type PlannedCall, planOfCalls } from '../../command-line/command/plan-of.ts';
import { refuseDeletes } from '../../command-line/command/refuse-deletes.ts';
import type { Result } from '../../command-line/output/result.ts';
import { type DryRun, planDocument } from '../../service/http/dry-run.ts';
import type { ComparedRow } from '../import/compare.ts';
import { consentOfPlan, joiningOf } from '../import/plan.ts';
import { applyContacts } from '../import/run.ts';
import type { Missing, MissingAction } from './difference.ts';
import { usualMissingLimit } from './limit.ts';
import { planOf, type SyncPlan } from './plan.ts';
import { differenceLines, syncQuestion } from './show-difference.ts';
import { showSync } from './show-sync.ts';
import type { SyncFlags } from './sync-flags.ts';

/**
 * Makes a book match a file: adds and changes contacts as an import does, then, if requested, unsubscribes
 * or deletes those that are not in the file. If it is stopped, the same command compares again.
 */
export async function syncFile(
  context: Context,
  flags: SyncFlags & { readonly book: string },
  path: string,
): Promise<Result> {
  const wanted = forMissing(flags);
  // Unlike other dry runs, this one needs a key: it shows the difference from the book.
  await (await context.account()).key();
  const compared: ComparedRow[] = [];
  const addresses = new Set<string>();
  const made: { plan?: SyncPlan; shown?: DryRun | undefined } = {};
  const outcome = await applyContacts(context, {
    ...{ path, book: flags.book, flags },
    whenEmpty(message) {
      throw new UsageError(message);
    },
    compared(row) {
      addresses.add(row.contact.email.toLowerCase());
      if (row.changes) compared.push(row);
    },
    async approve(imported, calls) {
      const plan = planOf(context, { imported, compared, addresses, wanted, path });
      made.plan = plan;
      for (const line of consentOfPlan(imported)) context.notes.say(line);
      const all = allCalls(calls, plan);
      const joining = joiningOf(imported);
      if (context.flags.dryRun === true) made.shown = await planOfCalls(context, all, joining);
      else await checkPlan(context, all, joining);
      await askToSync(context, flags, plan);
    },
  });
  const { plan, shown } = made;
  // It is made before the rows are sent, also in a dry run.
  if (plan === undefined) throw new Error('A sync has no plan');
  if (outcome === undefined) return showSync(context, plan, await planDocument(shown));
  await removeMissing(context, plan);
  return showSync(context, plan, outcome);
}

/** Asks, unless nothing would change. Throws a `UsageError` if more contacts are missing than the limit. */
async function askToSync(context: Context, flags: SyncFlags, plan: SyncPlan): Promise<void> {
  const { prompts, notes, system } = context;
  const { counts, differences } = plan;
  const isDryRun = context.flags.dryRun === true;
  const limit = flags.maxMissing ?? usualMissingLimit;
  const removed = counts.unsubscribed + counts.deleted;
  if (removed > limit.of(plan.removable)) {
    const text = `${quantity(removed, 'contact')} of ${grouped(plan.removable)} who have not unsubscribed are not in the file: more than --max-missing ${limit.text}.`;
    // A person sees it above the question.
    if (!isDryRun && (context.flags.yes === true || !prompts.possible)) {
      const percent = Math.ceil((removed / plan.removable) * 100);
      throw new UsageError(`${text} Nothing was sent.`, {
        hint: `Check that the file is complete. If it is: --max-missing ${percent}%`,
      });
    }
    notes.warn(text);
  }
  if (counts.added + counts.changed + removed === 0) return;
  if (!isDryRun) {
    const lines = differenceLines(differences, system.stderr.columns || 80);
    await prompts.confirm(syncQuestion(plan), 'Nothing was changed', lines);
  }
  if (counts.deleted === 0) return;
  await refuseDeletes(context, `Delete ${quantity(counts.deleted, 'contact')}?`);
}

function forMissing(flags: SyncFlags): MissingAction {
  const { unsubscribeMissing, deleteMissing, skipInvalid, maxInvalid } = flags;
  if (unsubscribeMissing && deleteMissing) {
    throw new UsageError('--unsubscribe-missing and --delete-missing cannot be used together');
  }
  const skips = skipInvalid ? '--skip-invalid' : '--max-invalid';
  if ((skipInvalid || maxInvalid) && (unsubscribeMissing || deleteMissing)) {
    throw new UsageError(
      `${skips} and --${deleteMissing ? 'delete' : 'unsubscribe'}-missing cannot be used together: a contact whose row is invalid would count as missing`,
    );
  }
  if (deleteMissing) return 'delete';
  return unsubscribeMissing ? 'unsubscribe' : 'keep';
}

/**
 * Unsubscribes or deletes contacts one by one: services have no request for several. A contact that is
 * already gone counts as done, so that the same command can be repeated.
 */
async function removeMissing(context: Context, plan: SyncPlan): Promise<void> {
  const removed = removalsOf(plan);
  for (const [index, one] of removed.entries()) {
    const left = `${grouped(index)} of ${quantity(removed.length, 'missing contact')} done`;
    context.report(left, '');
    try {
      await removal(plan.contactBookId)(one)(context);
    } catch (error) {
      if (error instanceof NotFoundError && !error.details.request?.mayBeOfProxy) continue;
      throw withHint(error, ({ details: { hint } }) =>
        [hint, `${left}. To continue, run the same command again.`].filter(Boolean).join('\n'),
      );
    }
  }
}

function* allCalls(calls: Iterable<PlannedCall>, plan: SyncPlan): Generator<PlannedCall> {
  yield* calls;
  yield* removalsOf(plan).map(removal(plan.contactBookId));
}

function removal(contactBookId: string): (missing: Missing) => PlannedCall {
  return ({ contact, action }) => {
    const params = { contactBookId, contactId: contact.id };
    return action === 'delete'
      ? (client) => client.call('contact.delete', { params })
      : (client) => client.call('contact.update', { params, body: { subscribed: false } });
  };
}

function removalsOf({ missing }: SyncPlan): readonly Missing[] {
  return missing.filter(({ action }) => action !== 'keep');
}
