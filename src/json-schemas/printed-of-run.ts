import { documentOf, type Printed } from '../lib/command-line/command/prints.ts';
import { runTitles } from '../lib/runs/bulk/show/titles.ts';
import { schemas } from './load.ts';

/** The documents that a command prints which sends a run or the rest of one. */
export const printedOfRun: readonly [Printed, Printed] = [
  documentOf('the result of each row', schemas.bulk('runReply'), {
    line: schemas.bulk('rowResult'),
    columns: runTitles,
  }),
  documentOf('the accepted emails, with their last status', schemas.bulk('followedReply'), {
    when: '--wait',
    line: schemas.bulk('followed'),
    columns: runTitles,
  }),
];
