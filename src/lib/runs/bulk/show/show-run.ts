import { fileSize } from '../../../../shared/file-size.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { fromHere } from '../../../command-line/log/from-here.ts';
import { type RecordResult, record, status, time } from '../../../command-line/output/result.ts';
import { resumeCommand, runNamed } from '../journal/named-run.ts';
import { runsOf } from '../journal/run-store.ts';
import { readRun, readRuns } from './read-runs.ts';
import type { ShownRun } from './run-shapes.ts';

/** One run in full, and how to resume it. Throws like `runNamed`. */
export async function showRun(context: Context, named: string): Promise<RecordResult> {
  const store = runsOf(context);
  const name = await runNamed(context, store, named);
  const retries = readRuns(store).filter(({ retryOf }) => retryOf === name);
  const retriedBy = retries.map(({ run }) => run).reverse();
  const run = { ...readRun(store, name), ...(retriedBy.length > 0 ? { retriedBy } : {}) };
  return record({
    reply: run,
    quiet: run.run,
    rows: [
      ['run', 'Run', run.run],
      ['state', 'State', status(run.state)],
      ['file', 'File', run.file],
      ['sending', 'Send number', run.sending],
      ['shard', 'Shard', run.shard],
      ['redirectedTo', 'Redirected to', run.redirectedTo],
      ['retryOf', 'Retry of', run.retryOf],
      ['retriedBy', 'Retried by', run.retriedBy?.join(', ')],
      ['profile', 'Profile', run.profile],
      ['baseUrl', 'Base URL', run.baseUrl],
      ['begunAt', 'Started', time(run.begunAt)],
      ['emails', 'Emails', run.emails],
      ['accepted', 'Accepted', run.accepted],
      ['rejected', 'Rejected', run.rejected],
      ['unknown', 'Unknown', run.unknown],
      ['left', 'Left', run.left],
      ['unanswered', 'No response', run.unanswered],
      ['bytes', 'Size', context.system.stdout.isTTY === true ? fileSize(run.bytes) : run.bytes],
    ],
    note: [howToResume(context, run), ...(await fromHere(context, { run: name }))],
  });
}

function howToResume(context: Context, shown: ShownRun): string {
  const { run, state, unknown = 0 } = shown;
  switch (state) {
    case 'unreadable':
      return `Its journal cannot be read: it is damaged, or was written by a newer mailer. To see what was sent: ${nextCommand(context, 'email', 'list')}`;
    case 'sending':
      return 'Another process is sending this run. To see its progress, run this command again.';
    case 'incomplete':
      return `To resume it: ${resumeCommand(context, run)}`;
    case 'complete':
      return unknown === 0
        ? 'This run is complete.'
        : `To send emails whose outcome is unknown again: ${resumeCommand(context, run, '--resend-unknown')}`;
  }
}
