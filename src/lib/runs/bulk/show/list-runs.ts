import { basename } from 'node:path';
import { attempt } from '../../../../shared/attempt.ts';
import { fileSize } from '../../../../shared/file-size.ts';
import { quantity } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { type ListResult, list, status, time } from '../../../command-line/output/result.ts';
import { emptyConfig } from '../../../service/account/config/config-types.ts';
import { ofChosenAccount } from '../journal/chosen-account.ts';
import { shortRunName } from '../journal/named-run.ts';
import { partsOfName } from '../journal/run-name.ts';
import { runsOf } from '../journal/run-store.ts';
import { readRuns } from './read-runs.ts';
import type { ShownRun } from './run-shapes.ts';

/**
 * Runs, newest first, with their progress and their size on disk: those of the account if a flag or a variable chooses one,
 * unless all are wanted.
 */
export async function listRuns(context: Context, wantsAll: boolean): Promise<ListResult> {
  const store = runsOf(context);
  const { flags, system } = context;
  const isChosen = flags.profile || system.env.MAILER_PROFILE || system.env.MAILER_BASE_URL;
  const isNarrow = isChosen && !wantsAll && flags.sandbox !== true;
  const isOwn = isNarrow ? await ofChosenAccount(context, store) : () => true;
  const all = readRuns(store);
  const rows = all.filter(({ run }) => isOwn(run));
  const others = aboutOthers(context, all.length - rows.length);
  const forPerson = context.system.stdout.isTTY === true;
  const isAnyLeft = rows.some(({ state }) => state === 'incomplete');
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return list<ShownRun>({
    pages: [{ rows }],
    columns: [
      { field: 'run', header: 'Run', cell: ({ run }) => (forPerson ? shortRunName(run) : run) },
      { field: 'state', header: 'State', cell: ({ state }) => status(state) },
      {
        field: 'file',
        header: 'File',
        cell: ({ file }) => (forPerson && file ? basename(file) : file),
        flexible: true,
      },
      { field: 'begunAt', header: 'Started', cell: ({ begunAt }) => time(begunAt) },
      { field: 'emails', header: 'Total' },
      { field: 'accepted', header: 'Accepted' },
      { field: 'rejected', header: 'Rejected', inDetails: true },
      { field: 'unknown', header: 'Unknown', inDetails: true },
      { field: 'left', header: 'Left' },
      {
        field: 'redirectedTo',
        header: 'Redirected to',
        flexible: true,
        onlyFor: ({ redirectedTo }) => redirectedTo !== undefined,
      },
      {
        field: 'profile',
        header: 'Profile',
        // With one profile, there is nothing to tell apart.
        onlyFor: ({ profile = emptyConfig.currentProfile }) =>
          profile !== emptyConfig.currentProfile,
      },
      {
        field: 'baseUrl',
        header: 'Base URL',
        flexible: true,
        // Only then, runs of the same file need it to be told apart.
        onlyFor: ({ run }) => partsOfName(run).account > 1,
      },
    ],
    // With all columns, there would be no room for the name that other commands need.
    details: ({ run, rejected = 0, unknown = 0 }) =>
      rejected + unknown === 0
        ? undefined
        : {
            title: shortRunName(run),
            lines: [
              ['Rejected', rejected],
              ['Unknown', unknown],
            ],
          },
    id: ({ run }) => run,
    empty: [
      rows.length < all.length
        ? 'No runs of this account'
        : `No runs. Their journals are in ${store.directory}`,
      ...others,
    ].join('. '),
    note: () => [
      `${quantity(rows.length, 'run')}, ${fileSize(bytes)} in ${store.directory}`,
      ...others,
      ...(isAnyLeft ? [`To resume one: ${nextCommand(context, 'run', 'resume', 'RUN')}`] : []),
      `To delete one: ${nextCommand(context, 'run', 'delete', 'RUN')}`,
    ],
  });
}

/** How many runs of other accounts there are, and how to list them. */
function aboutOthers({ flags, system }: Context, hidden: number): string[] {
  const elsewhere =
    flags.sandbox === true
      ? attempt(() => runsOf({ flags: {}, system }).names().length, 0)
      : hidden;
  if (elsewhere === 0) return [];
  const command = nextCommand({ flags: {}, system }, 'run', 'list', '--all');
  return [`${quantity(elsewhere, 'run')} of other accounts: ${command}`];
}
