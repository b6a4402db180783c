import type { Context } from '../command/context.ts';
import { timeGiven } from '../command/flags/scheduled-time.ts';
import { dnsName } from '../domain/dns/dns-names.ts';
import type { ListResult } from '../output/result.ts';
import type { Grouping } from './flags.ts';
import { parseGate } from './gate.ts';
import { ownByAccount, ownBySelectors } from './own-keys.ts';
import { readReports } from './read-reports.ts';
import { showReport } from './show-report.ts';
import { Tally } from './tally.ts';

/** The flags of `dmarc report`. */
interface ReportFlags {
  readonly by?: Grouping | undefined;
  readonly domain?: readonly string[];
  readonly selector?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly failOn?: readonly string[];
}

/** Reads the reports in files and directories, and adds them up. */
export async function readAndShow(
  context: Context,
  paths: readonly string[],
  { by = 'source', domain = [], selector = [], since, until, failOn = [] }: ReportFlags,
): Promise<ListResult> {
  const gates = failOn.map(parseGate);
  const period = {
    since: await timeOf('--since', since, context),
    until: await timeOf('--until', until, context),
  };
  const own =
    selector.length > 0
      ? { isOwn: ownBySelectors(selector), notes: [] }
      : await ownByAccount(context);
  const domains = domain.map(dnsName);
  const tally = new Tally({ by, isOwn: own.isOwn, domains, ...period });
  const read = await readReports(context, paths, tally);
  const terminalWidth = context.system.stdout.columns;
  return showReport({ tally, by, ...read, gates, notes: own.notes, terminalWidth });
}

async function timeOf(flag: string, text: string | undefined, context: Context) {
  if (text === undefined) return undefined;
  const { date } = await timeGiven(text, context, { flag, direction: 'past', allowPast: true });
  return date.getTime();
}
