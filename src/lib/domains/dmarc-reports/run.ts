import type { Domain } from '../../../api/domain.ts';
import { grouped } from '../../base/text/quantity.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { periodBound } from '../../command-line/command/flags/scheduled-time.ts';
import type { ListResult } from '../../command-line/output/result.ts';
import { dnsName, fullName, registeredName } from '../domain/dns/dns-names.ts';
import type { Grouping } from './flags.ts';
import { parseGate } from './gate.ts';
import { type IsOwn, isWithin } from './origin.ts';
import type { DamagedFile } from './report-shapes.ts';
import { showReport } from './show-report.ts';
import { findInSources } from './sources.ts';
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

async function timeOf(flag: '--since' | '--until', text: string | undefined, context: Context) {
  return text === undefined ? undefined : Number(await periodBound(text, context, flag));
}

/** How many damaged files are named on stderr; JSON has all. */
const maxNames = 20;

/** Adds up the reports in all files, and warns of those that cannot be read. */
async function readReports(
  context: Pick<Context, 'system' | 'notes' | 'progress' | 'report'>,
  paths: readonly string[],
  tally: Tally,
): Promise<{ damaged: readonly DamagedFile[]; otherFiles: number }> {
  const { system, notes, progress } = context;
  const damaged: DamagedFile[] = [];
  let otherFiles = 0;
  const waiting = (text: string) => void context.report(text);
  await progress.during('Reading reports', async () => {
    for await (const found of findInSources(paths, system, waiting)) {
      if (found.kind === 'other') otherFiles++;
      else if (found.kind === 'damaged') damaged.push({ file: found.name, problem: found.problem });
      else {
        tally.add(found.report);
        progress.update(() => `Reading reports: ${grouped(tally.reports)}`);
      }
    }
  });
  for (const { file, problem } of damaged.slice(0, maxNames)) notes.warn(`${file} ${problem}.`);
  const more = damaged.length - maxNames;
  if (more > 0) notes.warn(`${grouped(more)} more could not be read; --json names all.`);
  return { damaged, otherFiles };
}

/** By selectors: all signatures with these that are of the domain of the report. */
function ownBySelectors(selectors: readonly string[]): IsOwn {
  const own = new Set(selectors.map((one) => one.toLowerCase()));
  return ({ selector, domain: signer }, domain) =>
    own.has(selector) && (isWithin(signer, domain) || isWithin(domain, signer));
}

/**
 * By the account's domains, if there is an account; `notes` tell if these are not known. If the service does not respond within seconds, the reports are
 * shown without it.
 */
async function ownByAccount(
  context: Context,
): Promise<{ readonly isOwn: IsOwn | undefined; readonly notes: readonly string[] }> {
  const account = await context.account();
  if (account.baseUrl === undefined || account.keySource === undefined) {
    return { isOwn: undefined, notes: [`There is no account, so mailer ${cannotTell}`] };
  }
  const domains = await bestEffort(context, (within) => context.call('domain.list', {}, within));
  if (domains === undefined) {
    context.notes.warn(`The service did not list the account's domains, so mailer ${cannotTell}`);
    return { isOwn: undefined, notes: [] };
  }
  const keys = dkimKeysOf(domains);
  return {
    isOwn: ({ selector, domain }) => keys.has(`${selector}._domainkey.${domain}`),
    notes: [],
  };
}

const cannotTell = 'cannot tell which mail is yours. Name your DKIM selectors with --selector.';

/** The DKIM keys that the service publishes for domains, as full names: `s1._domainkey.example.com`. */
function dkimKeysOf(domains: readonly Domain[]): Set<string> {
  const names = domains.flatMap((domain) =>
    domain.dnsRecords.map(({ name }) => fullName(name, registeredName(domain))),
  );
  return new Set(names.filter((name) => name.includes('._domainkey.')));
}
