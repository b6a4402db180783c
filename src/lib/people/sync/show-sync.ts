import type { Context } from '../../command-line/command/context.ts';
import { type Column, list, type Result } from '../../command-line/output/result.ts';
import type { PlanDocument } from '../../service/http/plan-shape.ts';
import type { ImportOutcome } from '../import/outcome.ts';
import type { Difference } from './difference.ts';
import type { SyncPlan } from './plan.ts';
import { changesInWords, countsInWords, mostShown } from './show-difference.ts';

/**
 * What a sync did, or would do by its plan: a row for each contact that changes. They are not
 * repeated for a person who saw them above the question.
 */
export function showSync(
  { flags, format, prompts, notes, system }: Context,
  { differences, counts, columnsToCheck }: SyncPlan,
  outcome: ImportOutcome | PlanDocument,
): Result {
  const isDone = !('effect' in outcome);
  const forPerson = format() === 'table' && system.stdout.isTTY === true;
  const hasSeen = isDone && prompts.possible && flags.yes !== true;
  // Nothing happens to the others, who may be most of the book. Documents have them, too.
  const isForLines = format() === 'table' || format() === 'quiet';
  const changing = isForLines ? differences.filter(({ action }) => action !== 'keep') : differences;
  const rows = forPerson ? changing.slice(0, hasSeen ? 0 : mostShown) : changing;
  const message = countsInWords(counts, { isDone });
  const rest = { ...counts, columnsToCheck, ...(isDone ? {} : outcome) };
  if (!isDone) notes.say('Dry run: nothing was sent.');
  return list<Difference>({
    pages: [{ rows, rest }],
    rowsIn: 'data',
    columns,
    id: ({ email }) => email,
    empty: message,
    note: () => message,
    failure: isDone ? outcome.failure : undefined,
    afterWriting: isDone,
    carriedOut: isDone ? { what: message } : undefined,
  });
}

const columns: readonly Column<Difference>[] = [
  { field: 'email', header: 'Email', flexible: true },
  { field: 'action', header: 'Action' },
  {
    field: 'changes',
    header: 'Changes',
    cell: ({ changes }) => changesInWords(changes),
    flexible: true,
    inWords: true,
    computed: true,
  },
];
